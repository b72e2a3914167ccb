import { sql, type Transaction } from '@pacioli/core';
import type { AccountSums, Balances, DateRange } from '../tokens.ts';
import { graphOf } from './graph-of.ts';

const ranges_max = 60;
const default_currency = 'USD';

export class StoredBalances implements Balances {
  async currency(tx: Transaction): Promise<string> {
    const [row] = await tx.query(sql<{ functional_currency: string | null }>`
      SELECT functional_currency FROM ledger_entity WHERE graph_id = ${graphOf(tx)} AND is_parent ORDER BY created_at, id LIMIT 1`);
    return row?.functional_currency ?? default_currency;
  }

  async sums(tx: Transaction, ranges: readonly DateRange[]): Promise<readonly (readonly AccountSums[])[]> {
    if (ranges.length > ranges_max) throw new Error(`At most ${ranges_max} ranges are summed at once.`);
    const graphId = graphOf(tx);
    // Ledger L-40: what was reversed has landed too, and its reversal takes it back.
    const currency = await this.currency(tx);
    const rows = await tx.query(sql<{ range: number; element_id: string; debit: string; credit: string }>`
      SELECT r.range, l.element_id, sum(l.debit_amount) AS debit, sum(l.credit_amount) AS credit
      FROM unnest(${ranges.map((range) => range.start ?? '-infinity')}::date[], ${ranges.map((range) => range.end ?? 'infinity')}::date[])
        WITH ORDINALITY AS r (first, last, range)
      JOIN ledger_line_item AS l ON l.graph_id = ${graphId} AND l.is_landed AND l.posting_date BETWEEN r.first AND r.last
        AND l.currency = ${currency}
      GROUP BY r.range, l.element_id`);
    const answer: AccountSums[][] = ranges.map(() => []);
    for (const row of rows)
      answer[row.range - 1]?.push({ accountId: row.element_id, debit: BigInt(row.debit), credit: BigInt(row.credit) });
    return answer;
  }
}
