import { sql, type Transaction } from '@pacioli/core';
import type { LedgerEntity } from '../rows.gen.ts';
import { type DateRange, defaultCurrency } from '../values/index.ts';
import type { AccountSums, Balances, ForeignLines, RangeSums } from './balances.ts';
import { rangeSums, type SumRow } from './range-sums.ts';

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
    accountIds?: readonly string[],
  ): Promise<{ readonly currency: string; readonly columns: readonly RangeSums[] }> {
    if (ranges.length > maxRanges) throw new Error(`At most ${maxRanges} ranges are summed at once.`);
    const [currency, columns] = await Promise.all([this.currency(tx), rangeSums(tx, ranges, accountIds)]);
    return { currency, columns: columns.map((rows) => columnOf(rows, currency)) };
  }

  async foreign(tx: Transaction, accountIds: readonly string[], range: DateRange): Promise<readonly ForeignLines[]> {
    const [currency, [rows = []]] = await Promise.all([this.currency(tx), rangeSums(tx, [range], accountIds)]);
    return foreignOf(rows, currency);
  }
}

function columnOf(rows: readonly SumRow[], functional: string): RangeSums {
  return {
    sums: rows
      .filter(({ currency }) => currency === functional)
      .map((row) => ({ accountId: row.element_id, debit: BigInt(row.debit), credit: BigInt(row.credit) })),
    foreign: foreignOf(rows, functional),
  };
}

/** The lines in other currencies than the functional one, by currency. */
function foreignOf(rows: readonly SumRow[], functional: string): readonly ForeignLines[] {
  const foreign = new Map<string, number>();
  for (const { currency, lines } of rows)
    if (currency !== functional) foreign.set(currency, (foreign.get(currency) ?? 0) + lines);
  return [...foreign].sort(([a], [b]) => (a < b ? -1 : 1)).map(([currency, lines]) => ({ currency, lines }));
}
