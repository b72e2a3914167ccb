import { defineNode, sql } from '@pacioli/core';
import type { LedgerTransaction } from '../rows.gen.ts';
import { majorUnitsOf, rowsPerBatch, utcText } from '../values/index.ts';

/** Business transactions; amounts in major units (graphs 6.4, SC-23). */
export const Transaction = defineNode('Transaction', {
  extension: 'ledger',
  properties: {
    uri: 'STRING',
    number: 'STRING',
    amount: 'DOUBLE',
    description: 'STRING',
    date: 'DATE',
    reference_number: 'STRING',
    type: 'STRING',
    currency: 'STRING',
    merchant_name: 'STRING',
    category: 'STRING',
    pending: 'BOOLEAN',
    updated_at: 'STRING',
  },
  rows: ({ tx }) =>
    tx.stream(
      sql<TransactionRow>`
        SELECT id AS identifier, NULL::text AS uri, number, ${majorUnitsOf('amount')} AS amount, description, date, reference_number, type, currency,
          merchant_name, category, status = 'pending' AS pending, ${utcText('updated_at')} AS updated_at
        FROM ledger_transaction ORDER BY id`,
      rowsPerBatch,
    ),
});

type TransactionRow = Pick<
  LedgerTransaction,
  'number' | 'description' | 'date' | 'reference_number' | 'type' | 'currency' | 'merchant_name' | 'category'
> & {
  readonly identifier: LedgerTransaction['id'];
  readonly uri: string | null;
  readonly amount: number;
  readonly pending: boolean;
  readonly updated_at: string;
};
