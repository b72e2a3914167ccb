import { defineRelationship, sql } from '@pacioli/core';
import type { InvestorPosition } from '../rows.gen.ts';
import { rowsPerBatch } from '../values/index.ts';
import { Portfolio } from './Portfolio.ts';
import { Position } from './Position.ts';

/**
 * The positions of a portfolio. The share of an active position in the value of all of them is null unless every one has
 * a value and all are in one currency.
 */
export const PORTFOLIO_HAS_POSITION = defineRelationship('PORTFOLIO_HAS_POSITION', Portfolio, Position, {
  extension: 'investor',
  properties: { allocation_percentage: 'DOUBLE' },
  rows: ({ tx }) =>
    tx.stream(
      sql<{
        readonly from: InvestorPosition['portfolio_id'];
        readonly to: InvestorPosition['id'];
        readonly allocation_percentage: number | null;
      }>`
        SELECT p.portfolio_id AS "from", p.id AS "to",
          CASE WHEN p.status = 'active' AND a.is_comparable
            THEN (p.current_value * 100.0 / nullif(a.value, 0))::float8 END AS allocation_percentage
        FROM investor_position AS p
        LEFT JOIN (
          SELECT graph_id, portfolio_id, sum(current_value) AS value,
            count(*) = count(current_value) AND min(currency) = max(currency) AS is_comparable
          FROM investor_position WHERE status = 'active' GROUP BY graph_id, portfolio_id
        ) AS a ON a.graph_id = p.graph_id AND a.portfolio_id = p.portfolio_id
        ORDER BY p.id`,
      rowsPerBatch,
    ),
});
