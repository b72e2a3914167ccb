/** Debit-positive sums of one account: before a range, in it, and after it (ledger L-38, L-41). */
export interface FullBalance {
  /** Null for the earnings of earlier years when there is no retained earnings account. */
  readonly accountId: string | null;
  readonly opening: bigint;
  readonly debit: bigint;
  readonly credit: bigint;
  readonly closing: bigint;
}

interface Sums {
  readonly accountId: string;
  readonly debit: bigint;
  readonly credit: bigint;
}

/** The inputs of a trial balance with openings. */
export interface FullBalanceParts {
  /** Sums from the beginning of the books up to the day before the range. */
  readonly before: readonly Sums[];
  /** The part of `before` that falls in the fiscal year in which the range begins. */
  readonly yearToDate: readonly Sums[];
  readonly within: readonly Sums[];
  /** True for accounts that start every fiscal year at zero: revenue and expenses. */
  readonly isTemporary: (accountId: string) => boolean;
  /** The retained earnings account; null when the books have none. */
  readonly retainedId: string | null;
}

/** The first day of the fiscal year that a day lies in. */
export function fiscalYearStartOf(date: string, startMonth: number): string {
  const month = Number(date.slice(5, 7));
  const year = Number(date.slice(0, 4)) - (month < startMonth ? 1 : 0);
  return `${String(year).padStart(4, '0')}-${String(startMonth).padStart(2, '0')}-01`;
}

/**
 * The opening balance, movements and closing balance of each account with an opening or a movement. Temporary accounts
 * open with their year to date; earlier years are in retained earnings, so that openings and closings each sum to zero.
 */
export function fullBalances(parts: FullBalanceParts): readonly FullBalance[] {
  const { before, yearToDate, within, isTemporary, retainedId } = parts;
  const rows = new Map<string | null, { opening: bigint; debit: bigint; credit: bigint }>();
  const rowOf = (id: string | null) => {
    const row = rows.get(id) ?? { opening: 0n, debit: 0n, credit: 0n };
    rows.set(id, row);
    return row;
  };
  for (const { accountId, debit, credit } of before)
    rowOf(isTemporary(accountId) ? retainedId : accountId).opening += debit - credit;
  for (const { accountId, debit, credit } of yearToDate) {
    if (!isTemporary(accountId)) continue;
    rowOf(accountId).opening += debit - credit;
    rowOf(retainedId).opening -= debit - credit;
  }
  for (const { accountId, debit, credit } of within) {
    const row = rowOf(accountId);
    row.debit += debit;
    row.credit += credit;
  }
  return [...rows]
    .map(([accountId, row]) => ({ accountId, ...row, closing: row.opening + row.debit - row.credit }))
    .filter(({ opening, debit, credit }) => opening !== 0n || debit !== 0n || credit !== 0n);
}
