import type { Books, Leg } from './books.ts';
import type { ModelEntry } from './model-books.ts';
import { kinds, type RecordStep } from './model-steps.ts';

/** The line items of a request. */
export const lineItems = (book: Books, legs: readonly Leg[]) =>
  legs.map(([code, debit, credit]) => ({ element_id: book.id(code), debit_amount: debit, credit_amount: credit }));

/** The request that records an event: one entry is sent flat, several are nested (ledger L-87). */
export function bodyOf(book: Books, record: RecordStep, externalId: string | null): object {
  const entries = record.entries.map(({ day, legs }) => ({
    posting_date: day,
    memo: 'generated',
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

/** The date of the clock for generated books; the months before it can be closed. */
export const today = '2026-06-15';

/** Sorted legs, so that two entries can be compared. */
const legKey = (legs: readonly Leg[]) =>
  legs
    .map((leg) => leg.join(' '))
    .sort()
    .join(', ');
/** The content of an entry, so that two can be compared. */
export const entryKey = ({ day, legs }: Pick<ModelEntry, 'day' | 'legs'>) => `${day}: ${legKey(legs)}`;
