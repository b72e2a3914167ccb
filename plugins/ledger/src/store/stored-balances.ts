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
    const currency = await this.currency(tx);
    const [first, ...others] = ranges;
    if (first !== undefined && others.length === 0) return [await this.#sumsOf(tx, first, currency)];
    // Ledger L-40: what was reversed has landed too, and its reversal takes it back.
    const rows = await tx.query(sql<SumRow & { range: number }>`
      SELECT r.range, l.element_id, sum(l.debit_amount) AS debit, sum(l.credit_amount) AS credit
      FROM unnest(${ranges.map((range) => range.start ?? '-infinity')}::date[], ${ranges.map((range) => range.end ?? 'infinity')}::date[])
        WITH ORDINALITY AS r (first, last, range)
      JOIN ledger_line_item AS l ON l.graph_id = ${graphOf(tx)} AND l.is_landed AND l.posting_date BETWEEN r.first AND r.last
        AND l.currency = ${currency}
      GROUP BY r.range, l.element_id`);
    const answer: AccountSums[][] = ranges.map(() => []);
    for (const row of rows) answer[row.range - 1]?.push(sumsOf(row));
    return answer;
  }

  /** One range is one plain aggregate: a join with the range would cost as much again. */
  async #sumsOf(tx: Transaction, range: DateRange, currency: string): Promise<readonly AccountSums[]> {
    const from = range.start === null ? sql`` : sql`AND posting_date >= ${range.start}::date`;
    const to = range.end === null ? sql`` : sql`AND posting_date <= ${range.end}::date`;
    const rows = await tx.query(sql<SumRow>`
      SELECT element_id, sum(debit_amount) AS debit, sum(credit_amount) AS credit FROM ledger_line_item
      WHERE graph_id = ${graphOf(tx)} AND is_landed ${from} ${to} AND currency = ${currency} GROUP BY element_id`);
    return rows.map(sumsOf);
  }
}

interface SumRow {
  readonly element_id: string;
  readonly debit: string;
  readonly credit: string;
}

function sumsOf(row: SumRow): AccountSums {
  return { accountId: row.element_id, debit: BigInt(row.debit), credit: BigInt(row.credit) };
}
