/** @module-tag sessions */
import { type Store, sql } from '@pacioli/core';
import { describe, expect, it } from 'vitest';
import { type Books, done, openBooks } from './books.ts';
import { isOnServer, waitingLocks } from './capacity-lock.ts';
import { delivery } from './delivery.ts';
import { signal, timeout } from './races.ts';
import { type Business, bodyOf, open, receipt, recordEvent, sale } from './receivable-books.ts';
import {
  booked,
  deliver,
  book as deliveredBook,
  invoice as deliveredInvoice,
  nextId,
  resolve,
  service,
  useReconcilingBooks,
  user,
} from './reconciling-books.ts';
import { interfereWith } from './statement-hook.ts';

useReconcilingBooks();

/** Waits until another caller waits for a lock; the embedded store has one session, where callers take turns. */
async function untilOneWaits(graph: string): Promise<void> {
  if (isOnServer()) await expect.poll(() => waitingLocks(service.store, graph), { timeout }).toBeGreaterThan(0);
}

/** Starts a call right before the next settlements are inserted, and inserts them once the call waits for a lock. */
async function duringNextSettlement<T>(graph: string, call: () => Promise<T>, work: () => Promise<unknown>) {
  const interference = interfereWith(service.store);
  let started: Promise<T> | undefined;
  interference.beforeStatement = async (statement) => {
    if (started !== undefined || !statement.includes('INSERT INTO ledger_event_settlement')) return;
    started = call();
    await untilOneWaits(graph);
  };
  try {
    const first = await work();
    if (started === undefined) throw new Error('The work inserts settlements.');
    return [first, await started] as const;
  } finally {
    interference.beforeStatement = undefined;
  }
}

const paid = (cents: number, more: object): Business => ({
  type: 'payment_received',
  amount: cents,
  legs: receipt(cents),
  more,
});

/** Books with two invoices, by their ids in ascending order. */
async function twoInvoices(): Promise<{ readonly book: Books; readonly low: string; readonly high: string }> {
  const book = await openBooks(user);
  const record = (name: string) =>
    recordEvent(book, { type: 'invoice_issued', amount: 100, legs: sale(100), more: { external_id: name } });
  const [low, high] = [(await record('one')).id, (await record('two')).id].sort();
  return { book, low, high };
}

describe('update-event-block', () => {
  it('moves a payment to another invoice while a payment of both is recorded, without a deadlock (ledger L-150)', {
    timeout,
  }, async () => {
    const { book, low, high } = await twoInvoices();
    const { id } = await recordEvent(book, paid(30, { discharges_event_id: high }));
    const ofBoth = bodyOf(book, paid(120, { metadata: { qb_linked_txns: ['one', 'two'] } }));
    const answers = await duringNextSettlement(
      book.graph,
      () => book.operation('create-event-block', ofBoth),
      () => book.operation('update-event-block', { event_id: id, discharges_event_id: low }),
    );
    expect(answers).toMatchObject([{ status: 200 }, { status: 200 }]);
    expect(await open(book)).toEqual([50, 0]);
  });

  it('waits for the close of the month of a draft before it moves the draft to another invoice (ledger L-150)', {
    timeout,
  }, async () => {
    const { book, low, high } = await twoInvoices();
    const { id } = await recordEvent(book, { ...paid(30, { discharges_event_id: high }), status: 'draft' });
    const [held, release] = [signal(), signal()];
    const closing = service.store.transaction({ graphId: book.graph }, async (tx) => {
      const key = `pacioli.period.${book.graph}.2026-03`;
      await tx.query(sql`SELECT pg_advisory_xact_lock(hashtextextended(${key}, 0))`);
      held.give();
      if (isOnServer()) await release.given;
    });
    await held.given;
    let isMoved = false;
    const moving = done(book, 'update-event-block', { event_id: id, discharges_event_id: low }).finally(() => {
      isMoved = true;
    });
    try {
      const hasStopped = async () => isMoved || (await waitingLocks(service.store, book.graph)) > 0;
      if (isOnServer()) await expect.poll(hasStopped, { timeout }).toBe(true);
      expect(isMoved).toBe(false);
    } finally {
      release.give();
      await Promise.all([closing, moving]);
    }
  });

  it('is rejected when its event settles another invoice by the time that it is locked (ledger L-9, L-150)', {
    timeout,
  }, async () => {
    const { book, low, high } = await twoInvoices();
    const { id } = await recordEvent(book, paid(30, { discharges_event_id: high }));
    const [held, release] = [signal(), signal()];
    const moving = service.store.transaction({ graphId: book.graph }, async (tx) => {
      await tx.query(sql`SELECT FROM ledger_event WHERE id = ${id} FOR NO KEY UPDATE`);
      held.give();
      if (isOnServer()) await release.given;
      await tx.query(
        sql`UPDATE ledger_event_settlement SET originating_event_id = ${low} WHERE discharging_event_id = ${id}`,
      );
    });
    await held.given;
    const describing = book.operation('update-event-block', { event_id: id, description: 'by bank' });
    await untilOneWaits(book.graph).finally(release.give);
    await moving;
    const { status, body } = await describing;
    const conflict = `Event ${id} is being written by another process. Retry in a moment.`;
    expect([status, body.detail]).toEqual(isOnServer() ? [409, conflict] : [200, undefined]);
  });
});

describe('resolve-reconciling-item', () => {
  it('matches a payment anew while a payment of both invoices is booked, without a deadlock (ledger L-143, L-150)', {
    timeout,
  }, async () => {
    const names = [nextId(), nextId()];
    const ids = [];
    for (const name of names) ids.push([await booked(deliveredInvoice(name, 0, 100)), name] as const);
    const [low, high] = ids.sort().map(([, name]) => name);
    const before = await open(deliveredBook);
    const payment = (name: string, cents: number, linked: readonly (string | undefined)[]) => {
      const record = delivery(name, 0, '2026-03-12', [
        ['35', cents, 0],
        ['84', 0, cents],
      ]);
      const metadata = { ...record.metadata, qb_linked_txns: linked };
      return { ...record, eventType: 'payment_received', eventCategory: 'treasury', metadata };
    };
    const moved = `Payment_${nextId()}`;
    const id = await booked(payment(moved, 30, [high]));
    await deliver({ ...payment(moved, 30, [low]), version: 1 });
    const [resolved] = await duringNextSettlement(
      deliveredBook.graph,
      () => booked(payment(`Payment_${nextId()}`, 120, names)),
      () => resolve(id, { disposition: 'restate' }),
    );
    expect(resolved).toMatchObject({ status: 200 });
    expect(await open(deliveredBook)).toEqual([before[0] - 150, 0]);
  });
});

describe('ledger_open_receipts', () => {
  it('stores new receivable accounts in the order of their ids, so that two first receipts cannot deadlock (ledger L-150)', {
    timeout,
  }, async () => {
    const { graph } = await openBooks(user);
    const store: Store = service.store;
    const add = (id: string) =>
      sql`INSERT INTO ledger_receivable_account (graph_id, element_id) VALUES (${graph}, ${id})`;
    const [held, release] = [signal(), signal()];
    const holder = store.transaction({ graphId: graph }, async (tx) => {
      await tx.query(add('a'));
      held.give();
      if (isOnServer()) await release.given;
      await tx.query(add('b'));
    });
    await held.given;
    const receipts = store.transaction({ graphId: graph }, (tx) =>
      tx.query(sql`SELECT ledger_open_receipts(${graph}, ARRAY['b', 'a'], '{}')`),
    );
    await untilOneWaits(graph).finally(release.give);
    const outcomes = await Promise.allSettled([holder, receipts]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
  });
});
