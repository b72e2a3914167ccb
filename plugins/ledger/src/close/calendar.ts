import type { Transaction } from '@pacioli/core';
import type { FiscalMonth } from './close-facts.ts';

/** A month of the books. */
export interface BookMonth extends FiscalMonth {
  /** A closed month accepts no entries. */
  readonly isClosed: boolean;
}

/** The fiscal calendar of a graph. */
export interface CalendarState {
  /** 1 to 12. */
  readonly fiscalYearStartMonth: number;
  /** The last closed month, `YYYY-MM`; null while none is closed. */
  readonly closedThrough: string | null;
  /** The month through which the books are to be closed, `YYYY-MM`. */
  readonly closeTarget: string | null;
  /** In order, through the current month or the last one with entries. */
  readonly months: readonly BookMonth[];
}

/**
 * The months of the books for other plugins (ledger L-41a). Nothing is locked: a month that is open may be closed before
 * the transaction ends. `bookkeeping` locks the months in which it writes, and refuses closed ones.
 */
export interface Calendar {
  /** Undefined before `initialize`. */
  state(tx: Transaction, now: Date): Promise<CalendarState | undefined>;
  /** The month of a day, `YYYY-MM-DD`. Without a calendar every month is open. Throws `INVALID_INPUT` for another text. */
  monthOf(tx: Transaction, date: string): Promise<BookMonth>;
}
