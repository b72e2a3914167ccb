import { sql, type Transaction } from '@pacioli/core';
import type { AttributionFilter, RollforwardSums } from './rollforward.ts';

/**
 * Sums the posted lines of accounts between two days, in total and for each filter. A line counts for the first filter
 * that matches it, so that no amount explains the change twice (reporting B-36). One statement.
 */
export async function rollforwardSums(
  tx: Transaction,
  source: {
    readonly accountIds: readonly string[];
    readonly currency: string;
    readonly start: string;
    readonly end: string;
  },
  filters: readonly AttributionFilter[],
): Promise<RollforwardSums> {
  const rows = filters.map(({ predicate }, index) => ({ index, field: predicate.field, tags: predicate.values }));
  const sums = await tx.query(sql<{ index: number; amount: string }>`
    WITH lines AS (
      SELECT debit_amount - credit_amount AS net, metadata FROM ledger_line_item
      WHERE graph_id = ${tx.graphId} AND is_landed AND currency = ${source.currency} AND element_id = ANY (${[...source.accountIds]}::text[])
        AND posting_date BETWEEN ${source.start}::date AND ${source.end}::date
    ), filters AS (
      SELECT index, field, tags
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) AS f (index integer, field text, tags jsonb)
    )
    SELECT -1 AS index, coalesce(sum(net), 0)::text AS amount FROM lines
    UNION ALL
    SELECT m.index, sum(l.net)::text
    FROM lines AS l
    CROSS JOIN LATERAL (
      SELECT min(f.index) AS index FROM filters AS f
      WHERE f.tags ? coalesce(l.metadata ->> 'flow_element_id', l.metadata ->> f.field)
    ) AS m
    WHERE m.index IS NOT NULL
    GROUP BY m.index`);
  const byIndex = new Map(sums.map((row) => [row.index, BigInt(row.amount)]));
  return { delta: byIndex.get(-1) ?? 0n, matched: filters.map((_filter, index) => byIndex.get(index)) };
}
