import type { Transaction } from '@pacioli/core';
import type { Account } from '@pacioli/taxonomy';
import type { LedgerLineItem } from '../rows.gen.ts';
import type { DateRange } from '../values/index.ts';
import type { FullBalance } from './full-balance.ts';

/** Sums of the posted lines of one account (ledger L-40), in minor units of the functional currency. */
export interface AccountSums {
  readonly accountId: string;
  readonly debit: bigint;
  readonly credit: bigint;
}

/** Posted lines in a currency other than the functional one; no sum of the books includes them. */
export type ForeignLines = Pick<LedgerLineItem, 'currency'> & { readonly lines: number };

/** One range of days: the sums of accounts in the functional currency, and the lines they leave out (ledger L-5a). */
export interface RangeSums {
  readonly sums: readonly AccountSums[];
  readonly foreign: readonly ForeignLines[];
}

/** Balances of the books, derived from posted lines. */
export interface Balances {
  /** The functional currency, which `initialize` or the first posted entry sets; USD until then (ledger L-5a). */
  currency(tx: Transaction): Promise<string>;
  /**
   * For each range the accounts with activity in it, by account id. One statement, whatever the number of ranges (at
   * most 60).
   */
  sums(tx: Transaction, ranges: readonly DateRange[]): Promise<readonly (readonly AccountSums[])[]>;
  /**
   * Like `sums`, with the currency and the lines left out; for callers that report on completeness. Of these accounts
   * only, if they are given.
   */
  inRanges(
    tx: Transaction,
    ranges: readonly DateRange[],
    accountIds?: readonly string[],
  ): Promise<{ readonly currency: string; readonly columns: readonly RangeSums[] }>;
  /** The lines that sums of these accounts leave out, by currency. */
  foreign(tx: Transaction, accountIds: readonly string[], range: DateRange): Promise<readonly ForeignLines[]>;
}

/** The balance of an account, in minor units of the functional currency; debits are positive (ledger L-38). */
export interface AccountBalance {
  readonly accountId: string;
  readonly balance: bigint;
}

/** A known balance of an account at the end of a day, such as from a bank statement. */
export interface ExpectedBalance {
  readonly accountId: string;
  readonly date: string;
  /** Minor units of the functional currency; debits are positive. */
  readonly amount: bigint;
}

/** An account with posted lines in a range, and their sums in minor units. */
export interface TrialBalanceRow {
  readonly account: Account;
  readonly debit: bigint;
  readonly credit: bigint;
}

/** The accounts with posted lines in a range, by code; the debits of all rows equal their credits. */
export interface TrialBalance {
  /** The functional currency. */
  readonly currency: string;
  readonly rows: readonly TrialBalanceRow[];
  readonly total: { readonly debit: bigint; readonly credit: bigint };
  /** Lines in other currencies, which the rows leave out. */
  readonly foreign: readonly ForeignLines[];
}

/** Balances as of a day and over a range, in minor units (ledger L-41, L-41a). */
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
  /** The trial balance of a range; without a start it is cumulative (ledger L-39). */
  trialBalance(tx: Transaction, range: DateRange): Promise<TrialBalance>;
}

/** The month in which fiscal years begin. */
export interface FiscalYearStart {
  /** 1 to 12; January while there is no calendar. */
  month(tx: Transaction): Promise<number>;
}

/** The check that sums in the functional currency omit no posted line (ledger L-5a). */
export const foreignLinesCheck = 'foreign_currency_lines';

/** The finding of the check; undefined when it passes. */
export function foreignLinesFinding(
  foreign: readonly { readonly currency: string; readonly lines: number }[],
  functional: string,
): string | undefined {
  if (foreign.length === 0) return undefined;
  const total = foreign.reduce((sum, { lines }) => sum + lines, 0);
  const are = total === 1 ? 'posted line is' : 'posted lines are';
  const list = foreign.map(({ currency, lines }) => `${currency} ${lines}`).join(', ');
  return `${foreignLinesCheck}: ${total} ${are} not in ${functional} and left out: ${list}`;
}
