/** @module-tag sessions */
import { sql } from '@pacioli/core';
import { describe, expect, it } from 'vitest';
import type { Delivery } from '../src/index.ts';
import type { LedgerEvent } from '../src/rows.gen.ts';
import { delivery } from './delivery.ts';
import {
  book,
  booked,
  clock,
  deliver,
  event,
  everything,
  inStore,
  invoice,
  months,
  net,
  nextId,
  race,
  refused,
  useReconcilingBooks,
  withBooks,
} from './reconciling-books.ts';

useReconcilingBooks();

describe('deliveries', () => {
  it('creates one event, however often a record is delivered (ledger L-130, L-201)', async () => {
    const record = invoice(nextId(), 0, 320_000);
    const id = await booked(record);
    const before = await everything();
    expect(await deliver(record)).toEqual({ eventId: id, kind: 'same' });
    expect(await everything()).toEqual(before);
    expect(await deliver({ ...record, version: 5 })).toEqual({ eventId: id, kind: 'unchanged' });
    expect((await deliver(record)).kind).toBe('stale');
    const [entry] = await inStore(sql`SELECT status, provenance FROM ledger_entry WHERE event_id = ${id}`);
    expect(entry).toEqual({ status: 'posted', provenance: 'source_sync' });
  });

  it('overwrites a delivered record that is not booked yet (ledger L-130)', async () => {
    const name = nextId();
    const { eventId } = await deliver(invoice(name, 0, 100));
    expect((await deliver(invoice(name, 1, 200))).kind).toBe('updated');
    expect(await event(eventId)).toMatchObject({ status: 'captured', amount: 200, isReconcilingItem: false });
    await book.operation('update-event-block', { event_id: eventId, transition_to: 'voided' });
    expect((await deliver(invoice(name, 2, 300))).kind).toBe('left');
    expect(await event(eventId)).toMatchObject({ status: 'voided', amount: 200 });
  });

  it("keeps the provider's link only when it is a web address", async () => {
    const linkOf = async (externalUrl: string): Promise<unknown> => {
      const { eventId } = await deliver({ ...invoice(nextId(), 0, 100), externalUrl });
      const [row] = await inStore(
        sql<Pick<LedgerEvent, 'external_url'>>`SELECT external_url FROM ledger_event WHERE id = ${eventId}`,
      );
      return row?.external_url;
    };
    expect(await linkOf('https://books.example.org/invoices/1')).toBe('https://books.example.org/invoices/1');
    expect(await linkOf('javascript:alert(1)')).toBeNull();
  });

  it('flags a booked event that differs from its delivery, without changing the books, and clears the flag on agreement (ledger L-136)', async () => {
    const name = nextId();
    const id = await booked(invoice(name, 0, 1_000));
    const before = [await net('1100'), await net('4000')];
    expect((await deliver(invoice(name, 1, 900))).kind).toBe('flagged');
    expect((await deliver(invoice(name, 2, 800))).kind).toBe('flagged');
    expect([await net('1100'), await net('4000')]).toEqual(before);
    const flagged = await event(id);
    expect(flagged).toMatchObject({ isReconcilingItem: true, amount: 1_000, status: 'fulfilled' });
    expect(flagged.metadata.drift_payload).toEqual(invoice(name, 2, 800).metadata);
    const { eventBlocks } = await book.query('{ eventBlocks(isReconcilingItem: true) { id } }');
    expect(eventBlocks).toEqual([{ id }]);
    expect((await deliver(invoice(name, 3, 1_000))).kind).toBe('cleared');
    const cleared = await event(id);
    expect([cleared.isReconcilingItem, cleared.metadata.drift_payload]).toEqual([false, undefined]);
  });

  it('does not book a delivery while a newer version arrives, and books the newer one next (ledger L-130, L-9)', async () => {
    const name = nextId();
    const record = (version: number, cents: number): Delivery => ({
      ...invoice(name, version, cents),
      eventType: 'raced',
      metadata: { cents },
    });
    const { eventId } = await deliver(record(0, 60));
    const before = await everything();
    race.delivery = record(1, 50);
    await expect(withBooks((tx, books) => books.book(tx, eventId, clock.now()))).rejects.toMatchObject({
      kind: 'conflict',
      message: expect.stringContaining('is being written by another process'),
    });
    race.delivery = undefined;
    expect(await everything()).toEqual(before);
    await deliver(record(1, 50));
    expect(await withBooks((tx, books) => books.book(tx, eventId, clock.now()))).toMatchObject({ isBooked: true });
    const [sum] = await inStore(
      sql`SELECT sum(debit_amount)::int AS debit FROM ledger_line_item AS l JOIN ledger_entry AS e ON e.id = l.entry_id WHERE e.event_id = ${eventId}`,
    );
    expect(sum).toEqual({ debit: 50 });
  });

  it('releases the savepoint of a failed booking, so that they do not pile up in a batch', async () => {
    const unbalanced = await deliver(
      delivery(nextId(), 0, '2026-03-10', [
        ['84', 5, 0],
        ['79', 0, 4],
      ]),
    );
    const savepointIn = withBooks(async (tx, books) => {
      expect(await books.book(tx, unbalanced.eventId, clock.now())).toMatchObject({ isBooked: false });
      await tx.query(sql`RELEASE SAVEPOINT booking`);
    });
    await expect(savepointIn).rejects.toThrow('savepoint "booking" does not exist');
  });

  it('keeps a delivery captured, with an error, when it cannot be booked (ledger L-88, L-132)', async () => {
    const fail = async (record: Delivery, error: string, message: string) => {
      const { eventId } = await deliver(record);
      const entries = await inStore(sql`SELECT id FROM ledger_entry ORDER BY id`);
      for (const attempts of [1, 2]) {
        const booking = await withBooks((tx, books) => books.book(tx, eventId, clock.now()));
        expect(booking).toEqual({ isBooked: false, error, message: expect.stringContaining(message) });
        const { status, metadata } = await event(eventId);
        expect([status, metadata.dispatch_error, metadata.dispatch_attempts]).toEqual(['captured', error, attempts]);
      }
      expect(await inStore(sql`SELECT id FROM ledger_entry ORDER BY id`)).toEqual(entries);
      return eventId;
    };
    await fail(
      delivery(nextId(), 0, '2026-03-10', [
        ['84', 5, 0],
        ['999', 0, 5],
      ]),
      'element_unmapped',
      "1 element_external_id(s) could not be resolved against source='quickbooks', connection_id='conn_q': '999' (entry 0)",
    );
    await fail(
      delivery(nextId(), 0, '2026-03-10', [
        ['84', 5, 0],
        ['79', 0, 4],
      ]),
      'unbalanced_entry',
      'does not balance',
    );
    await months('closed', '2026-03');
    const late = await fail(invoice(nextId(), 0, 50), 'closed_period', "closed period '2026-03'");
    await months('open', '2026-03');
    expect(await withBooks((tx, books) => books.book(tx, late, clock.now()))).toEqual({
      isBooked: true,
      status: 'fulfilled',
    });
  });
});

describe('event source', () => {
  it('accepts as the source of an event only a connection of the graph or a source of the ledger (ledger L-84, L-34, L-82)', async () => {
    const body = (source: string, more: object = {}) => ({
      event_type: 'order_placed',
      event_category: 'sales',
      occurred_at: '2026-04-20T10:00:00Z',
      source,
      ...more,
    });
    expect((await book.operation('create-event-block', body('shopfeed'))).status).toBe(200);
    expect(
      (await book.operation('create-event-block', body('shopfeed', { metadata: { connection_id: 'conn_s' } }))).status,
    ).toBe(200);
    expect(
      (await book.operation('create-agent', { agent_type: 'customer', name: 'A', source: 'shopfeed' })).status,
    ).toBe(200);
    await refused(
      () => book.operation('create-event-block', body('shopfed')),
      422,
      "Unknown event source 'shopfed'. Valid sources are [manual, system, schedule] plus this graph's registered connections (quickbooks, shopfeed).",
    );
    await refused(
      () => book.operation('create-event-block', body('manual', { metadata: { connection_id: 'conn_x' } })),
      422,
      "'conn_x' is not a connection",
    );
    await refused(
      () => book.operation('create-agent', { agent_type: 'customer', name: 'A', source: 'x' }),
      422,
      "Unknown agent source 'x'",
    );
  });
});
