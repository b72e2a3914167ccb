/** @module-tag sessions */
import { sql } from '@pacioli/core';
import { describe, expect, it } from 'vitest';
import { bookVerifier, type Delivery } from '../src/index.ts';
import type { LedgerEntry } from '../src/rows.gen.ts';
import { done, entry } from './books.ts';
import { delivery } from './delivery.ts';
import { open, reverse } from './receivable-books.ts';
import {
  book,
  booked,
  by,
  deliver,
  inStore,
  invoice,
  net,
  nextId,
  resolve,
  service,
  useReconcilingBooks,
  withBooks,
} from './reconciling-books.ts';
import { interfereWith } from './statement-hook.ts';

useReconcilingBooks();

const payment = (name: string, cents: number, more: object = {}, currency = 'USD'): Delivery => {
  const record = delivery(name, 0, '2026-03-12', [
    ['35', cents, 0],
    ['84', 0, cents],
  ]);
  const metadata = { ...record.metadata, ...more };
  return { ...record, eventType: 'payment_received', eventCategory: 'treasury', currency, metadata };
};
const entryOf = async (eventId: string): Promise<string> =>
  (await inStore(sql<Pick<LedgerEntry, 'id'>>`SELECT id FROM ledger_entry WHERE event_id = ${eventId} ORDER BY id`))[0]
    ?.id ?? '';
const limitCash = (isLimited: boolean) =>
  inStore(sql`
    UPDATE taxonomy_element SET metadata = coalesce(metadata, '{}') || jsonb_build_object('no_negative', ${isLimited}::boolean)
    WHERE id = ${book.id('1000')}`);
const receivable = async (): Promise<number> => (await open(book))[0];

describe('deliveries of receivables', () => {
  it('settles with a delivered payment the invoice that a user linked while it was captured (ledger L-90, L-132)', async () => {
    const before = await receivable();
    const id = await booked(invoice(nextId(), 0, 500));
    const { eventId } = await deliver(payment(`Payment_${nextId()}`, 200));
    const linked = await book.operation('update-event-block', { event_id: eventId, discharges_event_id: id });
    expect(linked.status).toBe(200);
    expect(await receivable()).toBe(before + 500);
    expect(await withBooks((tx, books) => books.book(tx, eventId, by().now))).toMatchObject({ isBooked: true });
    expect(await receivable()).toBe(before + 300);
  });

  it('settles nothing with a delivered payment in another currency, whatever it references (ledger L-90, L-100a)', async () => {
    const before = await receivable();
    const name = nextId();
    await booked(invoice(name, 0, 500));
    const id = await booked(payment(`Payment_${nextId()}`, 200, { qb_linked_txns: [name] }, 'EUR'));
    expect(await receivable()).toBe(before + 500);
    const { eventBlock } = await book.query(`{ eventBlock(id: "${id}") { dischargesEventId } }`);
    expect(eventBlock.dischargesEventId).toBeNull();
  });

  it('undoes the effect of an entry on receivables when a delivered event reverses it (ledger L-100)', async () => {
    const before = await receivable();
    const id = await booked(invoice(nextId(), 0, 500));
    const record = delivery(`Void_${nextId()}`, 0, '2026-03-13', []);
    const metadata = { entry_id: await entryOf(id), posting_date: '2026-03-13' };
    await booked({ ...record, eventType: 'journal_entry_reversed', amount: null, metadata });
    expect(await receivable()).toBe(before);
  });
});

describe('resolve-reconciling-item', () => {
  it('drops the settlement link of a payment that its provider moved to another currency (ledger L-90, L-100a, L-143)', async () => {
    const before = await receivable();
    const [name, paid] = [nextId(), `Payment_${nextId()}`];
    await booked(invoice(name, 0, 500));
    const id = await booked(payment(paid, 200, { qb_linked_txns: [name] }));
    expect(await receivable()).toBe(before + 300);
    await deliver({ ...payment(paid, 210, { qb_linked_txns: [name] }, 'EUR'), version: 1 });
    const resolved = await resolve(id, { disposition: 'restate' });
    expect([resolved.status, resolved.body.detail]).toEqual([200, undefined]);
    expect(await receivable()).toBe(before + 500);
    const { eventBlock } = await book.query(`{ eventBlock(id: "${id}") { currency dischargesEventId } }`);
    expect(eventBlock).toEqual({ currency: 'EUR', dischargesEventId: null });
    const broken = await service.store.transaction(
      { graphId: book.graph },
      (tx) => service.service.services.resolve(bookVerifier).verify(tx),
      { readOnly: true },
    );
    expect(broken).toEqual([]);
  });

  it('leaves the accepted amount open, even when the first entry was reversed before (ledger L-100, L-137, L-141)', async () => {
    const before = await receivable();
    const account = await net('1100');
    const name = nextId();
    const id = await booked(invoice(name, 0, 500));
    await reverse(book, await entryOf(id));
    expect(await receivable()).toBe(before);
    await deliver(invoice(name, 1, 300));
    const resolved = await resolve(id, { disposition: 'catch_up', status: 'posted' });
    expect([resolved.status, resolved.body.detail]).toEqual([200, undefined]);
    expect(await receivable()).toBe(before + 300);
    expect(await net('1100')).toBe(account + 300);
  });

  it('locks the accounts with a limit only after the invoice that a payment settles, as all writers do (ledger L-150, L-213)', async () => {
    const [name, paid] = [nextId(), `Payment_${nextId()}`];
    await booked(invoice(name, 0, 500));
    const id = await booked(payment(paid, 200, { qb_linked_txns: [name] }));
    await deliver({ ...payment(paid, 150, { qb_linked_txns: [name] }), version: 1 });
    await limitCash(true);
    const interference = interfereWith(service.store);
    const statements: string[] = [];
    interference.beforeStatement = async (statement) => void statements.push(statement);
    const resolved = await resolve(id, { disposition: 'catch_up', status: 'posted' });
    interference.beforeStatement = undefined;
    await limitCash(false);
    expect([resolved.status, resolved.body.detail]).toEqual([200, undefined]);
    const placesOf = (part: string) => statements.flatMap((text, index) => (text.includes(part) ? [index] : []));
    const [locked, ...more] = placesOf('pacioli.account.');
    expect(more).toEqual([]);
    expect(placesOf('INSERT INTO ledger_event_settlement').length).toBeGreaterThan(0);
    for (const part of ['INSERT INTO ledger_event_settlement', 'UPDATE ledger_event'])
      expect(Math.max(...placesOf(part))).toBeLessThan(locked ?? -1);
  });

  it('refuses a posted catch-up entry that would take an account below its limit (ledger L-141, L-213)', async () => {
    const paid = `Payment_${nextId()}`;
    const id = await booked(payment(paid, 200));
    await deliver({ ...payment(paid, 100), version: 1 });
    const spent = (await net('1000')) - 50;
    await done(
      book,
      'create-event-block',
      entry(book, '2026-03-13', [
        ['6700', spent, 0],
        ['1000', 0, spent],
      ]),
    );
    await limitCash(true);
    const refused = await resolve(id, { disposition: 'catch_up', status: 'posted' });
    await limitCash(false);
    expect([refused.status, refused.body.code]).toEqual([422, 'BALANCE_BELOW_ZERO']);
    expect(await net('1000')).toBe(50);
  });
});
