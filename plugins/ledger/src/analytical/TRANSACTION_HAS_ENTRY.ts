import { defineRelationship, sql } from '@pacioli/core';
import type { LedgerEntry } from '../rows.gen.ts';
import { rowsPerBatch } from '../values/index.ts';
import { Entry } from './Entry.ts';
import { Transaction } from './Transaction.ts';

export const TRANSACTION_HAS_ENTRY = defineRelationship('TRANSACTION_HAS_ENTRY', Transaction, Entry, {
  extension: 'ledger',
  rows: ({ tx }) =>
    tx.stream(
      sql<{ readonly from: NonNullable<LedgerEntry['transaction_id']>; readonly to: LedgerEntry['id'] }>`
        SELECT transaction_id AS "from", id AS "to" FROM ledger_entry WHERE transaction_id IS NOT NULL ORDER BY id`,
      rowsPerBatch,
    ),
});
