import { defineNode, sql } from '@pacioli/core';
import type { LedgerEntry } from '../rows.gen.ts';
import { rowsPerBatch, utcText } from '../values/index.ts';

/** Journal entries (graphs 6.4). */
export const Entry = defineNode('Entry', {
  extension: 'ledger',
  properties: {
    uri: 'STRING',
    number: 'STRING',
    memo: 'STRING',
    posting_date: 'DATE',
    type: 'STRING',
    status: 'STRING',
    reversal_of: 'STRING',
    provenance: 'STRING',
    updated_at: 'STRING',
  },
  rows: ({ tx }) =>
    tx.stream(
      sql<EntryRow>`
        SELECT id AS identifier, NULL::text AS uri, number, memo, posting_date, type, status, reversal_of, provenance, ${utcText('updated_at')} AS updated_at
        FROM ledger_entry ORDER BY id`,
      rowsPerBatch,
    ),
});

type EntryRow = Pick<
  LedgerEntry,
  'number' | 'memo' | 'posting_date' | 'type' | 'status' | 'reversal_of' | 'provenance'
> & { readonly identifier: LedgerEntry['id']; readonly uri: string | null; readonly updated_at: string };
