import { expect } from 'vitest';
import { type Books, done, entry, type Leg, type Loose } from './books.ts';

/** An event to record: type, amount in minor units and lines. */
export interface Business {
  readonly type: string;
  readonly amount: number | null;
  readonly legs: readonly Leg[];
  readonly status?: 'draft' | 'posted';
  readonly more?: object;
}

export const sale = (cents: number): readonly Leg[] => [
  ['1100', cents, 0],
  ['4000', 0, cents],
];
export const receipt = (cents: number): readonly Leg[] => [
  ['1000', cents, 0],
  ['1100', 0, cents],
];
export const purchase = (cents: number): readonly Leg[] => [
  ['5000', cents, 0],
  ['2000', 0, cents],
];
export const payment = (cents: number): readonly Leg[] => [
  ['2000', cents, 0],
  ['1000', 0, cents],
];
/** The same legs with debits and credits swapped. */
export const swapped = (legs: readonly Leg[]): readonly Leg[] =>
  legs.map(([code, debit, credit]) => [code, credit, debit]);

/** The request that records the event. */
export function bodyOf(book: Books, { type, amount, legs, status = 'posted', more = {} }: Business): Loose {
  const { metadata = {}, ...fields } = more as Loose;
  const body = entry(book, '2026-03-20', legs, {
    event_type: type,
    event_category: 'other',
    amount,
    ...fields,
  }) as Loose;
  return { ...body, metadata: { ...body.metadata, status, ...metadata } };
}

/** Records the event and returns it. */
export const recordEvent = (book: Books, given: Business): Promise<Loose> =>
  done(book, 'create-event-block', bodyOf(book, given));

/** Reverses an entry and returns the event of the reversal. */
export const reverse = (book: Books, entryId: string, more: object = {}): Promise<Loose> =>
  done(book, 'create-event-block', reversalBody(book, entryId, more));

export const reversalBody = (book: Books, entryId: string, more: object = {}): object =>
  entry(book, '2026-03-28', [], {
    event_type: 'journal_entry_reversed',
    metadata: { entry_id: entryId, posting_date: '2026-03-28' },
    ...more,
  });

/** The id of the newest entry, drafts included. */
export async function newestEntry(book: Books): Promise<string> {
  const { journalEntries } = await book.query('{ journalEntries(limit: 1000) { entries { id } } }');
  const ids: readonly string[] = journalEntries.entries.map(({ id }: Loose) => id).sort();
  return ids.at(-1) ?? 'no entry';
}

/** Total receivables and payables, in minor units. */
export async function open(book: Books): Promise<readonly [number, number]> {
  const { openReceivables, openPayables } = await book.query(
    '{ openReceivables { totalOpenCents } openPayables { totalOpenCents } }',
  );
  return [openReceivables.totalOpenCents, openPayables.totalOpenCents];
}

/** Compares open amounts with the control accounts (ledger L-206). */
export async function expectControlled(book: Books, receivable: number, payable = 0): Promise<void> {
  const { trialBalance } = await book.query('{ trialBalance { rows { accountCode netBalance } } }');
  const net = (code: string): number => {
    const row = trialBalance.rows.find(({ accountCode }: Loose) => accountCode === code);
    return Math.round((row?.netBalance ?? 0) * 100) + 0;
  };
  expect({ open: await open(book), control: [net('1100'), -net('2000') + 0] }).toEqual({
    open: [receivable, payable],
    control: [receivable, payable],
  });
}
