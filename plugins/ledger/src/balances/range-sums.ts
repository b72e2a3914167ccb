import { type RawBuilder, sql, type Transaction } from '@pacioli/core';
import type { LedgerLineItem } from '../rows.gen.ts';
import type { DateRange } from '../values/index.ts';

/** The posted lines of an account in one currency within a range: their sums in minor units, and their number. */
export type SumRow = Pick<LedgerLineItem, 'element_id' | 'currency'> & {
  readonly debit: string;
  readonly credit: string;
  readonly lines: number;
};

/**
 * Sums the posted lines of each range by account and currency; of these accounts only, if they are given. A reversed
 * entry counts as posted, and its reversal offsets it (ledger L-40).
 *
 * A range that reaches into closed months is the difference of two running totals (ledger L-218), corrected by the lines
 * of months that are open or that the range cuts. So the cost does not grow with the number of closed months.
 */
export async function rangeSums(
  tx: Transaction,
  ranges: readonly DateRange[],
  accountIds?: readonly string[],
): Promise<readonly (readonly SumRow[])[]> {
  const bounds = await boundsOf(tx, ranges);
  const rows =
    (await sumParts(tx, partsOf(bounds), accountIds)) ??
    // Another transaction has reopened a month since its totals were found; this cannot happen within one snapshot.
    (await sumParts(tx, partsOf(bounds.map(withoutTotals)), accountIds)) ??
    [];
  const byRange: SumRow[][] = ranges.map(() => []);
  for (const row of rows) if (row.lines !== 0) byRange[row.range]?.push(row);
  return byRange;
}

/** A range as half-open days, with the last months whose totals end before its first day and before its end. */
interface RangeBounds {
  readonly from: string | null;
  /** The day after the last one; null also after the last day of the year 9999. */
  readonly until: string | null;
  readonly totals_before_from: string | null;
  readonly totals_before_until: string | null;
  /** The first days after those months. */
  readonly lines_before_from: string | null;
  readonly lines_before_until: string | null;
}

async function boundsOf(tx: Transaction, ranges: readonly DateRange[]): Promise<readonly RangeBounds[]> {
  // The month that ends before a day is that of the same day a month earlier.
  const monthBefore = (day: RawBuilder<unknown>): RawBuilder<unknown> =>
    sql`coalesce(to_char(${day} - interval '1 month', 'YYYY-MM'), '9999-12')`;
  const totalsBefore = (month: RawBuilder<unknown>): RawBuilder<unknown> => sql`
    SELECT max(period) AS period FROM ledger_month_total WHERE graph_id = ${tx.graphId} AND period <= ${month}`;
  const dayAfter = (period: RawBuilder<unknown>): RawBuilder<unknown> =>
    sql`((${period} || '-01')::date + interval '1 month')::date`;
  // OFFSET 0 computes the months first: row security admits no function that might leak into an index condition, and a
  // filter would read the totals of all later months.
  return tx.query(sql<RangeBounds>`
    SELECT r.first AS from, r.until, f.period AS totals_before_from, u.period AS totals_before_until,
      ${dayAfter(sql`f.period`)} AS lines_before_from, ${dayAfter(sql`u.period`)} AS lines_before_until
    FROM (SELECT place, first, until, ${monthBefore(sql`first`)} AS before_first, ${monthBefore(sql`until`)} AS before_until
      FROM (SELECT place, first, CASE WHEN last < '9999-12-31' THEN last + 1 END AS until
        FROM unnest(${ranges.map(({ start }) => start)}::date[], ${ranges.map(({ end }) => end)}::date[])
          WITH ORDINALITY AS d (first, last, place)) AS days OFFSET 0) AS r
    LEFT JOIN LATERAL (${totalsBefore(sql`r.before_first`)}) AS f ON r.first IS NOT NULL
    LEFT JOIN LATERAL (${totalsBefore(sql`r.before_until`)}) AS u ON true
    ORDER BY r.place`);
}

function withoutTotals(bounds: RangeBounds): RangeBounds {
  return { ...bounds, totals_before_from: null, totals_before_until: null };
}

/** The totals and the lines that make up the sums of ranges; a negative sign subtracts. */
interface SumParts {
  readonly totals: readonly { readonly range: number; readonly sign: 1 | -1; readonly period: string }[];
  readonly lines: readonly {
    readonly range: number;
    readonly sign: 1 | -1;
    readonly from: string | null;
    readonly until: string | null;
  }[];
}

function partsOf(ranges: readonly RangeBounds[]): SumParts {
  const totals: SumParts['totals'][number][] = [];
  const lines: SumParts['lines'][number][] = [];
  const addLines = (range: number, sign: 1 | -1, from: string | null, until: string | null): void => {
    if (from === null || until === null || from < until) lines.push({ range, sign, from, until });
  };
  for (const [range, bounds] of ranges.entries()) {
    const { from, until, totals_before_from: former, totals_before_until: latter } = bounds;
    if (from !== null && until !== null && from >= until) continue;
    if (latter === former || latter === null) {
      addLines(range, 1, from, until);
      continue;
    }
    totals.push({ range, sign: 1, period: latter });
    addLines(range, 1, bounds.lines_before_until, until);
    if (from === null) continue;
    if (former !== null) totals.push({ range, sign: -1, period: former });
    addLines(range, -1, bounds.lines_before_from, from);
  }
  return { totals, lines };
}

/** Adds the parts up; undefined when totals that they name are no longer there. */
async function sumParts(
  tx: Transaction,
  { totals, lines }: SumParts,
  accountIds: readonly string[] | undefined,
): Promise<readonly (SumRow & { readonly range: number })[] | undefined> {
  const periods = [...new Set(totals.map(({ period }) => period))];
  const graphId = tx.graphId;
  const ofAccounts = accountIds === undefined ? sql`` : sql`AND element_id = ANY (${[...accountIds]}::text[])`;
  const parts = [
    ...(lines.length === 0 ? [] : [linesPart(graphId, lines, ofAccounts)]),
    ...(totals.length === 0 ? [] : [totalsPart(graphId, totals, ofAccounts)]),
  ];
  if (parts.length === 0) return [];
  // OFFSET 0 looks up each month by key, as in `totalsPart`.
  // One row comes without sums when there are none, so that months without totals are told from accounts without lines.
  const rows = await tx.query(sql<SumRow & { readonly range: number | null; readonly months: number }>`
    SELECT m.months, s.* FROM (
      SELECT count(*) AS months FROM unnest(${periods}::text[]) AS p (period)
      WHERE EXISTS (SELECT FROM ledger_month_total AS t WHERE t.graph_id = ${graphId} AND t.period = p.period OFFSET 0)
    ) AS m LEFT JOIN (
      SELECT range, element_id, currency, sum(debit) AS debit, sum(credit) AS credit, sum(lines)::bigint AS lines
      FROM (${sql.join(parts, sql` UNION ALL `)}) AS part GROUP BY range, element_id, currency
    ) AS s ON true`);
  if (rows[0]?.months !== periods.length) return undefined;
  return rows.flatMap(({ range, ...row }) => (range === null ? [] : [{ ...row, range }]));
}

/** One aggregate with bounds of its own for each part: from a join with all bounds the planner cannot tell how few lines match. */
function linesPart(graphId: string, lines: SumParts['lines'], ofAccounts: RawBuilder<unknown>): RawBuilder<unknown> {
  const parts = lines.map(({ range, sign: factor, from, until }) => {
    const fromDay = from === null ? sql`` : sql`AND posting_date >= ${from}::date`;
    const untilDay = until === null ? sql`` : sql`AND posting_date < ${until}::date`;
    const sign = sql`${factor}::integer`;
    return sql`
      SELECT ${range}::integer AS range, element_id, currency, ${sign} * sum(debit_amount) AS debit,
        ${sign} * sum(credit_amount) AS credit, ${sign} * count(*) AS lines
      FROM ledger_line_item WHERE graph_id = ${graphId} AND is_landed ${fromDay} ${untilDay} ${ofAccounts}
      GROUP BY element_id, currency`;
  });
  return sql.join(parts, sql` UNION ALL `);
}

/** Looks up the totals of each month by key. Without statistics, a join would read all months: OFFSET 0 prevents it. */
function totalsPart(graphId: string, totals: SumParts['totals'], ofAccounts: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    SELECT r.range, element_id, currency, r.sign * debit_total AS debit, r.sign * credit_total AS credit,
      r.sign * line_count AS lines
    FROM unnest(${totals.map(({ range }) => range)}::integer[], ${totals.map(({ sign }) => sign)}::integer[],
      ${totals.map(({ period }) => period)}::text[]) AS r (range, sign, period)
    CROSS JOIN LATERAL (
      SELECT * FROM ledger_month_total AS t WHERE t.graph_id = ${graphId} AND t.period = r.period ${ofAccounts} OFFSET 0
    ) AS t`;
}
