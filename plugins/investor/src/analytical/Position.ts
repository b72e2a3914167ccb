import { defineNode, sql } from '@pacioli/core';
import type { InvestorPosition } from '../rows.gen.ts';
import { rowsPerBatch } from '../values/index.ts';

/** Positions of every status; amounts in major units of a hundred (graphs SC-23, SC-32). */
export const Position = defineNode('Position', {
  summary: 'A holding of a security in a portfolio; queries filter on its status.',
  extension: 'investor',
  properties: {
    quantity: 'DOUBLE',
    quantity_type: 'STRING',
    cost_basis: 'DOUBLE',
    current_value: 'DOUBLE',
    currency: 'STRING',
    acquisition_date: 'DATE',
    status: 'STRING',
  },
  rows: ({ tx }) =>
    tx.stream(
      sql<PositionRow>`
        SELECT id AS identifier, quantity::float8 AS quantity, quantity_type, (cost_basis / 100.0)::float8 AS cost_basis,
          (current_value / 100.0)::float8 AS current_value, currency, acquisition_date, status
        FROM investor_position ORDER BY id`,
      rowsPerBatch,
    ),
});

type PositionRow = Pick<InvestorPosition, 'quantity_type' | 'currency' | 'acquisition_date' | 'status'> & {
  readonly identifier: InvestorPosition['id'];
  readonly quantity: number;
  readonly cost_basis: number;
  readonly current_value: number | null;
};
