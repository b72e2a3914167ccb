import { defineNode, sql } from '@pacioli/core';
import type { LedgerLineItem } from '../rows.gen.ts';
import { majorUnitsOf, rowsPerBatch } from '../values/index.ts';

/** The debits and credits of entries; amounts in major units (graphs 6.4, SC-23). */
export const LineItem = defineNode('LineItem', {
  extension: 'ledger',
  properties: {
    uri: 'STRING',
    description: 'STRING',
    debit_amount: 'DOUBLE',
    credit_amount: 'DOUBLE',
    has_dimensions: 'BOOLEAN',
    dimension_count: 'INT64',
    updated_at: 'STRING',
  },
  rows: ({ tx }) =>
    tx.stream(
      sql<LineItemRow>`
        SELECT id AS identifier, NULL::text AS uri, description, ${majorUnitsOf('debit_amount')} AS debit_amount,
          ${majorUnitsOf('credit_amount')} AS credit_amount, false AS has_dimensions, 0 AS dimension_count, NULL::text AS updated_at
        FROM ledger_line_item ORDER BY entry_id, line_order`,
      rowsPerBatch,
    ),
});

type LineItemRow = Pick<LedgerLineItem, 'description'> & {
  readonly identifier: LedgerLineItem['id'];
  readonly uri: string | null;
  readonly debit_amount: number;
  readonly credit_amount: number;
  readonly has_dimensions: boolean;
  readonly dimension_count: number;
  readonly updated_at: string | null;
};
