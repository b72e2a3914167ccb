/** @module-tag sessions */
// Goal: a delivered event about an asset affects its schedule exactly as the same event recorded by a user.
import { describe, expect, it } from 'vitest';
import { type Booking, type Delivery, reconciliation } from '../src/index.ts';
import { type Books, done } from './books.ts';
import { delivery } from './delivery.ts';
import { closeMonths, disposal, entryNamed, openWithVan, trialBalance } from './disposal-books.ts';
import { clock, service, useDisposalBooks, user } from './disposal-fixture.ts';
import { expectLaws } from './laws.ts';
import { draftOf, entries, everything, obligations, refusal } from './schedule-books.ts';

useDisposalBooks();

/** Delivers a new record and books it, as a sync does. */
async function sync(book: Books, record: Delivery): Promise<Booking & { readonly eventId: string }> {
  const books = service.service.services.resolve(reconciliation);
  const within = <T>(work: Parameters<typeof service.store.transaction<T>>[1]): Promise<T> =>
    service.store.transaction({ graphId: book.graph }, work);
  const by = { userId: 'usr_sync', now: clock.now() };
  const { eventId, kind } = await within((tx) => books.deliver(tx, record, by));
  expect(kind).toBe('captured');
  return { eventId, ...(await within((tx) => books.book(tx, eventId, clock.now()))) };
}

const reversal = (name: string, entryId: string, date: string): Delivery =>
  delivery(name, 0, date, [], {
    eventType: 'journal_entry_reversed',
    eventCategory: 'adjustment',
    metadata: { entry_id: entryId, posting_date: date },
  });

const disposed = (book: Books, id: string): Delivery =>
  delivery('D-1', 0, '2026-06-30', [], {
    eventType: 'asset_disposed',
    eventCategory: 'adjustment',
    amount: null,
    metadata: disposal(book, id).metadata,
  });

describe('delivered events about an asset', () => {
  it('reopens the schedule when a delivered event reverses the entry of a disposal (ledger L-132, L-188)', async () => {
    const { book, id } = await openWithVan(user);
    await done(book, 'create-event-block', disposal(book, id));
    clock.set('2026-07-02T12:00:00Z');
    await closeMonths(book, '2026-01', '2026-02', '2026-03', '2026-04', '2026-05', '2026-06');
    expect(await obligations(book, id)).toEqual({ fulfilled: 6, voided: 30 });
    const sale = await entryNamed(book, 'Van sold');
    expect(await sync(book, reversal('R-1', sale.id, '2026-07-02'))).toMatchObject({ isBooked: true });
    expect(await obligations(book, id)).toEqual({ fulfilled: 6, voided: 30, pending: 30 });
    expect(await trialBalance(book)).toEqual({ 1590: -4_200, 6900: 4_200 });
    await expectLaws(service, book);
  });

  it('does not book a delivered reversal of an entry that a draft disposal has counted, and says why (ledger L-132, L-188)', async () => {
    const { book, id } = await openWithVan(user);
    await closeMonths(book, '2026-01');
    await done(book, 'create-event-block', disposal(book, id));
    const before = await entries(book);
    const january = await draftOf(book, '2026-01-31');
    expect(await sync(book, reversal('R-2', january.id, '2026-06-15'))).toMatchObject({
      isBooked: false,
      message: expect.stringContaining('cannot be reversed: the disposal of 2026-06-30'),
    });
    expect(await entries(book)).toEqual(before);
  });

  it("keeps a delivered disposal waiting for a user's commit, because it changes its schedule as well (ledger L-132, L-188)", async () => {
    const { book, id } = await openWithVan(user);
    const before = await entries(book);
    const { eventId, ...booking } = await sync(book, disposed(book, id));
    expect(booking).toMatchObject({ isBooked: false, message: expect.stringContaining("to 'committed'") });
    expect(await entries(book)).toEqual(before);
    await done(book, 'update-event-block', { event_id: eventId, transition_to: 'committed' });
    expect(await entryNamed(book, 'Van sold')).toMatchObject({ status: 'draft', type: 'closing' });
    await expectLaws(service, book);
  });

  it('does not remove the entry of a disposal from the books when the provider deletes the record (ledger L-134, L-139)', async () => {
    const { book, id } = await openWithVan(user);
    const record = disposed(book, id);
    const { eventId } = await sync(book, record);
    await done(book, 'update-event-block', { event_id: eventId, transition_to: 'committed' });
    clock.set('2026-07-02T12:00:00Z');
    await closeMonths(book, '2026-01', '2026-02', '2026-03', '2026-04', '2026-05', '2026-06');
    await done(book, 'reopen-period', { period: '2026-06', reason: 'The provider has no such sale' });
    const gone = { ...record, version: 1, metadata: { entries: [] } };
    const books = service.service.services.resolve(reconciliation);
    const by = { userId: 'usr_sync', now: clock.now() };
    const { kind } = await service.store.transaction({ graphId: book.graph }, (tx) => books.deliver(tx, gone, by));
    expect(kind).toBe('flagged');
    const before = await everything(book);
    const restate = { event_id: eventId, disposition: 'restate' };
    const { id: saleId } = await entryNamed(book, 'Van sold');
    expect(refusal(await book.operation('resolve-reconciling-item', restate))).toEqual([
      422,
      `Event ${eventId} cannot be restated: entries that a schedule goes by: ${saleId}. Use catch_up.`,
    ]);
    expect(await everything(book)).toEqual(before);
  });
});
