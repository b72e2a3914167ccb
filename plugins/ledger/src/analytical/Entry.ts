import { defineNode, sql } from '@pacioli/core';
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

interface EntryRow {
  readonly identifier: string;
  readonly uri: string | null;
  readonly number: string | null;
  readonly memo: string | null;
  readonly posting_date: string;
  readonly type: string;
  readonly status: string;
  readonly reversal_of: string | null;
  readonly provenance: string;
  readonly updated_at: string;
}
