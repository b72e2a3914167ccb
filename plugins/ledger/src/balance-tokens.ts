import { createToken, type Transaction } from '@pacioli/core';
import type { FullBalance } from './balances/index.ts';
import type { AccountBalance } from './tokens.ts';

/** What somebody knows an account to be worth at the end of a day, such as from the statement of a bank. */
export interface ExpectedBalance {
  readonly accountId: string;
  readonly date: string;
  /** Minor units of the books' currency; debits are positive. */
  readonly amount: bigint;
}

/** Balances at a day and over a range; there is no wire form of them (ledger L-41). */
export interface PeriodBalances {
  /**
   * Of every account with activity up to and on the day. One statement. With `recordedBy`, as the books knew it at that
   * instant: what landed later is left out, however it is dated, and what was restated since is as it was (ledger L-215).
   */
  asOf(tx: Transaction, date: string, recordedBy?: Date): Promise<readonly AccountBalance[]>;
  /**
   * Refuses with `BALANCE_DIFFERS`, the expected and the found amount and their difference, when an account is worth
   * something else at the end of a day (ledger L-217).
   */
  assertBalance(tx: Transaction, expected: ExpectedBalance): Promise<void>;
  /**
   * Opening, debits, credits and closing of each account. Revenue and expenses open with their fiscal year to date;
   * what they brought before stands with retained earnings, so that openings and closings each sum to zero.
   */
  between(tx: Transaction, from: string, to: string): Promise<readonly FullBalance[]>;
}

export const periodBalances = createToken<PeriodBalances>('ledger.period-balances');
