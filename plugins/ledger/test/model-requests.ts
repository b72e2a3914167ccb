import type { Books, Leg } from './books.ts';
import type { ModelEntry } from './model-books.ts';
import { kinds, type RecordStep } from './model-steps.ts';

/** The lines of an entry as they are sent. */
export const lineItems = (book: Books, legs: readonly Leg[]) =>
  legs.map(([code, debit, credit]) => ({ element_id: book.id(code), debit_amount: debit, credit_amount: credit }));

/** The request that records an event; one entry is sent flat, several nested (ledger L-87). */
export function bodyOf(book: Books, record: RecordStep, externalId: string | null): object {
  const entries = record.entries.map(({ day, legs }) => ({
    posting_date: day,
    memo: 'by chance',
    line_items: lineItems(book, legs),
  }));
  const status = record.mode === 'posted' ? 'posted' : 'draft';
  return {
    event_type: record.kind,
    event_category: kinds[record.kind],
    occurred_at: '2026-03-15T10:00:00Z',
    source: 'manual',
    currency: record.currency,
    apply_handlers: record.mode !== 'captured',
    external_id: externalId,
    metadata: entries.length === 1 ? { status, ...entries[0] } : { status, entries },
  };
}

/** The day of the clock of books made by chance: months before it can be closed. */
export const today = '2026-06-15';

/** Legs by account code in an order of their own, so that two entries compare. */
const legKey = (legs: readonly Leg[]) =>
  legs
    .map((leg) => leg.join(' '))
    .sort()
    .join(', ');
/** What is in an entry, so that two compare. */
export const entryKey = ({ day, legs }: Pick<ModelEntry, 'day' | 'legs'>) => `${day}: ${legKey(legs)}`;
