import type { TestClient } from '@pacioli/testing';
import { type Books, done, entry, type Loose } from './books.ts';
import { createSchedule, entries, openScheduleBooks, van } from './schedule-books.ts';

/** Books with a van, and the id of the schedule that depreciates it. */
export interface VanBooks {
  readonly book: Books;
  readonly id: string;
}

/** Books with the van of example 13.2, drafted up to May. */
export async function openWithVan(user: TestClient, more: (book: Books) => object = () => ({})): Promise<VanBooks> {
  const book = await openScheduleBooks(user, 'product', { earliest_data_period: '2026-01' });
  const { id } = await createSchedule(book, van(book, more(book)));
  await done(book, 'promote-obligations', {});
  return { book, id };
}

/** Opens books with the van depreciated over half a year, without a residual value. */
export const openWithHalfYear = (user: TestClient): Promise<VanBooks> =>
  openWithVan(user, (book) => ({
    period_end: '2026-06-30',
    schedule_metadata: { original_amount: 420_000, asset_element_id: book.id('1520') },
  }));

/** The event of the disposal in example 13.2. */
export function disposal(book: Books, id: string, metadata: object = {}, date = '2026-06-30'): Loose {
  return {
    event_type: 'asset_disposed',
    event_category: 'adjustment',
    source: 'manual',
    occurred_at: `${date}T00:00:00Z`,
    apply_handlers: true,
    metadata: {
      schedule_id: id,
      memo: 'Van sold',
      reason: 'sale',
      proceeds: 2_150_000,
      proceeds_element_id: book.id('1000'),
      gain_loss_element_id: book.id('7200'),
      ...metadata,
    },
  };
}

/** The reversal of an entry. */
export const reversalOf = (book: Books, entryId: string, date: string): object => ({
  ...entry(book, date, [], { event_type: 'journal_entry_reversed' }),
  metadata: { entry_id: entryId, posting_date: date },
});

/** Closes the given months in order. */
export async function closeMonths(book: Books, ...periods: readonly string[]): Promise<void> {
  for (const period of periods) await done(book, 'close-period', { period });
}

/** Finds the entry with this memo. */
export async function entryNamed(book: Books, memo: string): Promise<Loose> {
  return (await entries(book)).find((each: Loose) => each.memo === memo) ?? {};
}

/** Nonzero balances by account code, in major units; debits are positive. */
export async function trialBalance(book: Books): Promise<Record<string, number>> {
  const { trialBalance: found } = await book.query('{ trialBalance { rows { accountCode netBalance } } }');
  const rows: readonly Loose[] = found.rows;
  return Object.fromEntries(rows.flatMap((row) => (row.netBalance === 0 ? [] : [[row.accountCode, row.netBalance]])));
}

/** The lines of a draft between two accounts, in cents. */
export const linesOver = (book: Books, cents: number, debit: string, credit: string): readonly object[] => [
  { element_id: book.id(debit), debit_amount: cents, credit_amount: 0 },
  { element_id: book.id(credit), debit_amount: 0, credit_amount: cents },
];
