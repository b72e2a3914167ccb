import { createToken, type Transaction } from '@pacioli/core';
import type { FullBalance } from './balances/index.ts';
import type { AccountBalance } from './tokens.ts';

/** A known balance of an account at the end of a day, such as from a bank statement. */
export interface ExpectedBalance {
  readonly accountId: string;
  readonly date: string;
  /** Minor units of the functional currency; debits are positive. */
  readonly amount: bigint;
}

/** Balances as of a day and over a range; they are not on the wire (ledger L-41). */
export interface PeriodBalances {
  /**
   * Balances of all accounts with activity up to and including the day, in one statement. With `recordedBy`, as the
   * books stood at that instant: without entries posted later, whatever their date, and before later restatements
   * (ledger L-215).
   */
  asOf(tx: Transaction, date: string, recordedBy?: Date): Promise<readonly AccountBalance[]>;
  /**
   * Throws `BALANCE_DIFFERS`, with the expected amount, the found amount and their difference, when the balance at the
   * end of the day is not the expected one (ledger L-217).
   */
  assertBalance(tx: Transaction, expected: ExpectedBalance): Promise<void>;
  /**
   * Opening balance, debits, credits and closing balance of each account. Revenue and expense accounts open with their
   * fiscal year to date; earlier years are in retained earnings, so that openings and closings each sum to zero.
   */
  between(tx: Transaction, from: string, to: string): Promise<readonly FullBalance[]>;
}

export const periodBalances = createToken<PeriodBalances>('ledger.period-balances');
