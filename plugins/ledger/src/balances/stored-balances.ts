import { type RawBuilder, sql, type Transaction } from '@pacioli/core';
import type { LedgerEntity, LedgerLineItem } from '../rows.gen.ts';
import { type DateRange, defaultCurrency } from '../values/index.ts';
import type { AccountSums, Balances, ForeignLines, RangeSums } from './balances.ts';

const maxRanges = 60;

export class StoredBalances implements Balances {
  async currency(tx: Transaction): Promise<string> {
    const [row] = await tx.query(sql<Pick<LedgerEntity, 'functional_currency'>>`
      SELECT functional_currency FROM ledger_entity WHERE graph_id = ${tx.graphId} AND is_parent ORDER BY created_at, id LIMIT 1`);
    return row?.functional_currency ?? defaultCurrency;
  }

  async sums(tx: Transaction, ranges: readonly DateRange[]): Promise<readonly (readonly AccountSums[])[]> {
    return (await this.inRanges(tx, ranges)).columns.map(({ sums }) => sums);
  }

  async inRanges(
    tx: Transaction,
    ranges: readonly DateRange[],
  ): Promise<{ readonly currency: string; readonly columns: readonly RangeSums[] }> {
    if (ranges.length > maxRanges) throw new Error(`At most ${maxRanges} ranges are summed at once.`);
    const currency = await this.currency(tx);
    const [first, ...others] = ranges;
    if (first !== undefined && others.length === 0)
      return { currency, columns: [columnOf(await this.#rowsOf(tx, first), currency)] };
    // A reversed entry counts as posted, and its reversal offsets it (ledger L-40).
    const rows = await tx.query(sql<SumRow & { range: number }>`
      SELECT r.range, l.element_id, l.currency, sum(l.debit_amount) AS debit, sum(l.credit_amount) AS credit, count(*) AS lines
      FROM unnest(${ranges.map((range) => range.start ?? '-infinity')}::date[], ${ranges.map((range) => range.end ?? 'infinity')}::date[])
        WITH ORDINALITY AS r (first, last, range)
      JOIN ledger_line_item AS l ON l.graph_id = ${tx.graphId} AND l.is_landed AND l.posting_date BETWEEN r.first AND r.last
      GROUP BY r.range, l.element_id, l.currency`);
    const byRange: SumRow[][] = ranges.map(() => []);
    for (const row of rows) byRange[row.range - 1]?.push(row);
    return { currency, columns: byRange.map((found) => columnOf(found, currency)) };
  }

  async foreign(tx: Transaction, accountIds: readonly string[], range: DateRange): Promise<readonly ForeignLines[]> {
    return tx.query(sql<ForeignLines>`
      SELECT currency, count(*) AS lines FROM ledger_line_item
      WHERE graph_id = ${tx.graphId} AND is_landed ${within(range)} AND element_id = ANY (${[...accountIds]}::text[])
        AND currency <> ${await this.currency(tx)} GROUP BY currency ORDER BY currency`);
  }

  /** A single range is a plain aggregate, because a join with the range would double the cost. */
  async #rowsOf(tx: Transaction, range: DateRange): Promise<readonly SumRow[]> {
    return tx.query(sql<SumRow>`
      SELECT element_id, currency, sum(debit_amount) AS debit, sum(credit_amount) AS credit, count(*) AS lines FROM ledger_line_item
      WHERE graph_id = ${tx.graphId} AND is_landed ${within(range)} GROUP BY element_id, currency`);
  }
}

function within(range: DateRange): RawBuilder<unknown> {
  const from = range.start === null ? sql`` : sql`AND posting_date >= ${range.start}::date`;
  return range.end === null ? from : sql`${from} AND posting_date <= ${range.end}::date`;
}

type SumRow = Pick<LedgerLineItem, 'element_id' | 'currency'> & {
  readonly debit: string;
  readonly credit: string;
  readonly lines: number;
};

function columnOf(rows: readonly SumRow[], functional: string): RangeSums {
  const foreign = new Map<string, number>();
  for (const { currency, lines } of rows)
    if (currency !== functional) foreign.set(currency, (foreign.get(currency) ?? 0) + lines);
  return {
    sums: rows
      .filter(({ currency }) => currency === functional)
      .map((row) => ({ accountId: row.element_id, debit: BigInt(row.debit), credit: BigInt(row.credit) })),
    foreign: [...foreign].sort(([a], [b]) => (a < b ? -1 : 1)).map(([currency, lines]) => ({ currency, lines })),
  };
}
