/** @module-tag sessions */
import type { TestClient, TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aging } from '../src/index.ts';
import { type Books, done, openBooks, startLedger } from './books.ts';
import {
  expectControlled,
  newestEntry,
  open,
  payment,
  purchase,
  receipt,
  recordEvent,
  reversalBody,
  reverse,
  sale,
  swapped,
} from './receivable-books.ts';

let service: TestService;
let user: TestClient;
beforeAll(async () => {
  ({ service, user } = await startLedger());
});
afterAll(async () => {
  await service.close();
});

const invoice = (book: Books, amount: number, more: object = {}) =>
  recordEvent(book, { type: 'invoice_issued', amount, legs: sale(amount), more });
const paid = (book: Books, amount: number, dischargesEventId: string, more: object = {}) =>
  recordEvent(book, {
    type: 'payment_received',
    amount,
    legs: receipt(amount),
    more: { discharges_event_id: dischargesEventId, ...more },
  });

/** Reverses the newest entry, then that reversal, and so on, for this number of times. */
async function reverseAgain(book: Books, times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) await reverse(book, await newestEntry(book));
}

describe('journal_entry_reversed', () => {
  it('settles the invoice or bill whose entry it reverses, without a link in the request (ledger L-100)', async () => {
    const book = await openBooks(user);
    const { id } = await invoice(book, 100);
    const reversal = await reverse(book, await newestEntry(book));
    expect(reversal.discharges_event_id).toBe(id);
    await expectControlled(book, 0);
    await recordEvent(book, { type: 'bill_received', amount: 70, legs: purchase(70) });
    await reverse(book, await newestEntry(book));
    await expectControlled(book, 0, 0);
  });

  it.each([
    [1, 0],
    [2, 100],
    [3, 0],
    [4, 100],
  ])(
    'reverses an invoice %i times, each time the reversal before, and leaves %i cents open (ledger L-63, L-100)',
    async (times, left) => {
      const book = await openBooks(user);
      await invoice(book, 100);
      await reverseAgain(book, times);
      await expectControlled(book, left);
    },
  );

  it.each([
    [1, 100],
    [2, 40],
    [3, 100],
  ])(
    'reverses a payment %i times, each time the reversal before, and leaves %i cents open (ledger L-63, L-100)',
    async (times, left) => {
      const book = await openBooks(user);
      const { id } = await invoice(book, 100);
      await paid(book, 60, id);
      await reverseAgain(book, times);
      await expectControlled(book, left);
    },
  );

  it('gives a reversal the currency of its entry when the caller sends the default currency or none (ledger L-5, L-60)', async () => {
    const book = await openBooks(user);
    const euros = { type: 'invoice_issued', amount: 100, legs: sale(100), more: { currency: 'EUR' } };
    await recordEvent(book, euros);
    const { id, currency } = await reverse(book, await newestEntry(book), { currency: 'USD' });
    expect([currency, await open(book)]).toEqual(['EUR', [0, 0]]);
    expect((await book.query(`{ eventBlock(id: "${id}") { currency } }`)).eventBlock).toEqual({ currency: 'EUR' });
    await recordEvent(book, euros);
    await reverse(book, await newestEntry(book));
    expect(await open(book)).toEqual([0, 0]);
    await recordEvent(book, euros);
    const other = await book.operation(
      'create-event-block',
      reversalBody(book, await newestEntry(book), { currency: 'GBP' }),
    );
    expect([other.status, other.body.detail]).toEqual([422, expect.stringContaining('the entry is in EUR')]);
  });

  it('reopens everything that a bounced payment had settled, from the date of the reversal (ledger L-100, L-102)', async () => {
    const book = await openBooks(user);
    await invoice(book, 100, { external_id: 'Invoice_1' });
    await invoice(book, 200, { external_id: 'Invoice_2' });
    const more = { metadata: { qb_linked_txns: ['Invoice_1', 'Invoice_2'] } };
    await recordEvent(book, { type: 'payment_received', amount: 250, legs: receipt(250), more });
    await expectControlled(book, 50);
    await reverse(book, await newestEntry(book));
    await expectControlled(book, 300);
    const openOn = async (day: string) => {
      const rows = await service.store.transaction({ graphId: book.graph }, (tx) =>
        service.service.services.resolve(aging).aging(tx, 'receivable', day),
      );
      return rows.reduce((sum, { total }) => sum + total, 0n);
    };
    expect([await openOn('2026-03-27'), await openOn('2026-03-28')]).toEqual([50n, 300n]);
  });

  it('follows the settlement link of the reversed payment when that changes (ledger L-75, L-100)', async () => {
    const book = await openBooks(user);
    const { id: first } = await invoice(book, 100);
    const { id: second } = await invoice(book, 30);
    const { id } = await paid(book, 60, first);
    await reverse(book, await newestEntry(book));
    for (const dischargesEventId of [second, '', first]) {
      await done(book, 'update-event-block', { event_id: id, discharges_event_id: dischargesEventId });
      await expectControlled(book, 130);
    }
    await reverse(book, await newestEntry(book));
    await expectControlled(book, 70);
  });

  it('reduces an invoice with several entries by the reversed entry only (ledger L-51, L-100)', async () => {
    const book = await openBooks(user);
    const lines = (legs: ReturnType<typeof sale>) =>
      legs.map(([code, debitAmount, creditAmount]) => ({
        element_id: book.id(code),
        debit_amount: debitAmount,
        credit_amount: creditAmount,
      }));
    const part = (cents: number) => ({ posting_date: '2026-03-20', memo: 'part', line_items: lines(sale(cents)) });
    const cost = {
      posting_date: '2026-03-20',
      memo: 'cost',
      line_items: lines([
        ['5000', 80, 0],
        ['1390', 0, 80],
      ]),
    };
    await done(book, 'create-event-block', {
      event_type: 'invoice_issued',
      event_category: 'sales',
      occurred_at: '2026-03-20T10:00:00Z',
      source: 'manual',
      amount: 100,
      apply_handlers: true,
      metadata: { status: 'posted', entries: [part(60), cost, part(40)] },
    });
    const { journalEntries } = await book.query('{ journalEntries { entries { id memo totalDebit } } }');
    const idOf = (cents: number) =>
      journalEntries.entries.find((each: { totalDebit: number }) => Math.round(each.totalDebit * 100) === cents).id;
    await reverse(book, idOf(40));
    await expectControlled(book, 60);
    await reverse(book, idOf(80));
    await expectControlled(book, 60);
    await reverse(book, idOf(60));
    await expectControlled(book, 0);
  });

  it('rejects a settlement link to any other event than that of its entry (ledger L-100)', async () => {
    const book = await openBooks(user);
    const { id } = await invoice(book, 100);
    const taken = await newestEntry(book);
    const { id: other } = await invoice(book, 30);
    const { id: payed } = await paid(book, 20, other);
    const bounced = await newestEntry(book);
    for (const [entryId, dischargesEventId] of [
      [taken, other],
      [bounced, other],
      [bounced, payed],
    ] as const) {
      const answer = await book.operation(
        'create-event-block',
        reversalBody(book, entryId, { discharges_event_id: dischargesEventId }),
      );
      expect([answer.status, answer.body.detail]).toEqual([
        422,
        expect.stringMatching(/^discharges_event_id: a reversal settles the event of the reversed entry, /),
      ]);
    }
    const reversal = await reverse(book, taken, { discharges_event_id: id, amount: 100 });
    await expectControlled(book, 10);
    const moved = await book.operation('update-event-block', { event_id: reversal.id, discharges_event_id: other });
    expect([moved.status, moved.body.detail]).toEqual([422, expect.stringMatching(/^discharges_event_id: a reversal/)]);
    await expectControlled(book, 10);
  });

  it('keeps open amounts correct when the link of the payment changes at the same time (ledger L-150, L-206)', async () => {
    const book = await openBooks(user);
    const { id: first } = await invoice(book, 100);
    const { id: second } = await invoice(book, 30);
    // A caller that met a change of what the payment settles is told to retry (ledger L-9).
    const retried = async (name: string, body: object): Promise<number> => {
      for (let attempt = 1; attempt < 10; attempt += 1) {
        const { status } = await book.operation(name, body);
        if (status !== 409) return status;
      }
      return 409;
    };
    for (const dischargesEventId of [second, first, second]) {
      const { id } = await paid(book, 10, first);
      const entryId = await newestEntry(book);
      const answers = await Promise.all([
        retried('update-event-block', { event_id: id, discharges_event_id: dischargesEventId }),
        retried('create-event-block', reversalBody(book, entryId)),
        retried('create-event-block', reversalBody(book, entryId)),
      ]);
      expect(answers.sort()).toEqual([200, 200, 422]);
      await expectControlled(book, 130);
    }
  });

  it('counts a captured reversal only once it is committed (ledger L-78, L-100)', async () => {
    const book = await openBooks(user);
    const { id } = await invoice(book, 100);
    const body = reversalBody(book, await newestEntry(book), { apply_handlers: false });
    const captured = await done(book, 'create-event-block', body);
    await expectControlled(book, 100);
    await done(book, 'update-event-block', { event_id: captured.id, transition_to: 'committed' });
    await expectControlled(book, 0);
    const { eventBlock } = await book.query(`{ eventBlock(id: "${captured.id}") { dischargesEventId } }`);
    expect(eventBlock.dischargesEventId).toBe(id);
  });
});

describe('credit notes', () => {
  it('reduces the open amount with a credit note, and increases it again with its refund or reversal (ledger L-70, L-100)', async () => {
    const book = await openBooks(user);
    await invoice(book, 100);
    const note = await recordEvent(book, { type: 'invoice_issued', amount: -20, legs: swapped(sale(20)) });
    const entryId = await newestEntry(book);
    await expectControlled(book, 80);
    await recordEvent(book, {
      type: 'payment_received',
      amount: -15,
      legs: swapped(receipt(15)),
      more: { discharges_event_id: note.id },
    });
    await expectControlled(book, 95);
    await reverse(book, await newestEntry(book));
    await expectControlled(book, 80);
    await reverse(book, entryId);
    await expectControlled(book, 100);
    await recordEvent(book, { type: 'bill_received', amount: -7, legs: swapped(purchase(7)) });
    await expectControlled(book, 100, -7);
  });

  it('uses up a credit note by the invoice that it settles, and reopens the invoice when the note is reversed (ledger L-70, L-100)', async () => {
    const book = await openBooks(user);
    const { id } = await invoice(book, 100);
    await recordEvent(book, {
      type: 'invoice_issued',
      amount: -20,
      legs: swapped(sale(20)),
      more: { discharges_event_id: id },
    });
    await expectControlled(book, 80);
    const { openReceivables } = await book.query('{ openReceivables { openEventCount } }');
    expect(openReceivables.openEventCount).toBe(1);
    await reverseAgain(book, 1);
    await expectControlled(book, 100);
    await reverseAgain(book, 1);
    await expectControlled(book, 80);
  });

  it('settles a credit note of a vendor by the vendor’s refund, not by a payment (ledger L-100a)', async () => {
    const book = await openBooks(user);
    const { id } = await recordEvent(book, { type: 'bill_received', amount: -50, legs: swapped(purchase(50)) });
    await recordEvent(book, {
      type: 'bill_paid',
      amount: 50,
      legs: swapped(payment(50)),
      more: { discharges_event_id: id },
    });
    await expectControlled(book, 0, 0);
  });
});
