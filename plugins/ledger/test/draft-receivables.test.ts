/** @module-tag sessions */
import type { TestClient, TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Books, done, type Leg, openBooks, startLedger } from './books.ts';
import {
  type Business,
  expectControlled,
  newestEntry,
  open,
  payment,
  purchase,
  receipt,
  recordEvent,
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

const draft = (type: string, amount: number, legs: readonly Leg[], more: object = {}): Business => ({
  type,
  amount,
  legs,
  status: 'draft',
  more,
});

/** Replaces the lines of the newest entry. */
async function edit(book: Books, legs: readonly Leg[], entryId?: string): Promise<void> {
  const lineItems = legs.map(([code, debitAmount, creditAmount]) => ({
    element_id: book.id(code),
    debit_amount: debitAmount,
    credit_amount: creditAmount,
  }));
  await done(book, 'update-journal-entry', { entry_id: entryId ?? (await newestEntry(book)), line_items: lineItems });
}

const amountOf = async (book: Books, id: string): Promise<number> =>
  (await book.query(`{ eventBlock(id: "${id}") { amount } }`)).eventBlock.amount;

const closeMarch = (book: Books) => done(book, 'close-period', { period: '2026-03' });

describe('update-journal-entry', () => {
  it('updates the open amount of a draft invoice or bill (ledger L-100b, L-206)', async () => {
    const book = await openBooks(user);
    const { id } = await recordEvent(book, draft('invoice_issued', 10_000, sale(10_000)));
    await edit(book, sale(9_000));
    expect(await amountOf(book, id)).toBe(9_000);
    await recordEvent(book, draft('bill_received', 500, purchase(500)));
    await edit(book, purchase(650));
    await closeMarch(book);
    await expectControlled(book, 9_000, 650);
  });

  it('keeps the amount of the event while the net receivable stays the same (ledger L-57, L-100b)', async () => {
    const book = await openBooks(user);
    const { id } = await recordEvent(book, draft('invoice_issued', 10_000, sale(10_000)));
    await edit(book, [
      ['1100', 10_700, 0],
      ['1100', 0, 700],
      ['4010', 0, 10_000],
    ]);
    expect(await amountOf(book, id)).toBe(10_000);
  });

  it('updates the settled amount of a draft payment across all invoices that it settles (ledger L-100b)', async () => {
    const book = await openBooks(user);
    await recordEvent(book, {
      type: 'invoice_issued',
      amount: 100,
      legs: sale(100),
      more: { external_id: 'Invoice_1' },
    });
    await recordEvent(book, {
      type: 'invoice_issued',
      amount: 200,
      legs: sale(200),
      more: { external_id: 'Invoice_2' },
    });
    const metadata = { qb_linked_txns: ['Invoice_1', 'Invoice_2'] };
    const { id } = await recordEvent(book, draft('payment_received', 250, receipt(250), { metadata }));
    await edit(book, receipt(90));
    expect(await amountOf(book, id)).toBe(90);
    const { id: owed } = await recordEvent(book, { type: 'bill_received', amount: 70, legs: purchase(70) });
    await recordEvent(book, draft('bill_paid', -70, payment(70), { discharges_event_id: owed }));
    await edit(book, payment(50));
    await closeMarch(book);
    await expectControlled(book, 210, 20);
    const { openReceivables } = await book.query('{ openReceivables { openEventCount } }');
    expect(openReceivables.openEventCount).toBe(2);
  });

  it('updates the amount of a bill paid by credit card, and of an invoice against work in progress (ledger L-100b, L-206)', async () => {
    const book = await openBooks(user);
    const { id: bill } = await recordEvent(book, { type: 'bill_received', amount: 1_000, legs: purchase(1_000) });
    const byCard = (cents: number): readonly Leg[] => [
      ['2000', cents, 0],
      ['2050', 0, cents],
    ];
    const paid = draft('bill_paid', 1_000, byCard(1_000), { discharges_event_id: bill });
    const { id: payment } = await recordEvent(book, paid);
    await edit(book, byCard(600));
    expect(await amountOf(book, payment)).toBe(600);
    const billed = (cents: number): readonly Leg[] => [
      ['1100', cents, 0],
      ['1150', 0, cents],
    ];
    const { id: invoice } = await recordEvent(book, draft('invoice_issued', 500, billed(500)));
    await edit(book, billed(450));
    expect(await amountOf(book, invoice)).toBe(450);
    await closeMarch(book);
    await expectControlled(book, 450, 400);
  });

  it('sets the amount of an invoice with one draft to that of its lines, whatever it was before (ledger L-100b)', async () => {
    const book = await openBooks(user);
    const { id } = await recordEvent(book, draft('invoice_issued', 700, sale(500)));
    await edit(book, sale(650));
    expect(await amountOf(book, id)).toBe(650);
    const { id: note } = await recordEvent(book, draft('invoice_issued', -70, swapped(sale(50))));
    await edit(book, swapped(sale(60)));
    expect(await amountOf(book, note)).toBe(-60);
    await closeMarch(book);
    await expectControlled(book, 590);
  });

  it('rejects lines that would turn a payment into a charge (ledger L-100b)', async () => {
    const book = await openBooks(user);
    const { id } = await recordEvent(book, { type: 'invoice_issued', amount: 100, legs: sale(100) });
    await recordEvent(book, draft('payment_received', 40, receipt(40), { discharges_event_id: id }));
    const entryId = await newestEntry(book);
    const refused = await book.operation('update-journal-entry', {
      entry_id: entryId,
      line_items: [
        { element_id: book.id('1100'), debit_amount: 5 },
        { element_id: book.id('1000'), credit_amount: 5 },
      ],
    });
    expect([refused.status, refused.body.detail]).toEqual([
      422,
      expect.stringContaining('would raise what is open instead of settling it'),
    ]);
    await closeMarch(book);
    await expectControlled(book, 60);
  });
});

describe('delete-journal-entry', () => {
  it('deducts the deleted draft from the amount of its invoice (ledger L-58, L-100b)', async () => {
    const book = await openBooks(user);
    const entries = [60, 40].map((cents) => ({
      posting_date: '2026-03-20',
      memo: 'part',
      line_items: sale(cents).map(([code, debitAmount, creditAmount]) => ({
        element_id: book.id(code),
        debit_amount: debitAmount,
        credit_amount: creditAmount,
      })),
    }));
    const { id } = await done(book, 'create-event-block', {
      event_type: 'invoice_issued',
      event_category: 'sales',
      occurred_at: '2026-03-20T10:00:00Z',
      source: 'manual',
      amount: 100,
      apply_handlers: true,
      metadata: { status: 'draft', entries },
    });
    await done(book, 'delete-journal-entry', { entry_id: await newestEntry(book) });
    expect(await amountOf(book, id)).toBe(60);
    await closeMarch(book);
    await expectControlled(book, 60);
  });
});

describe('openReceivables and openPayables', () => {
  it('excludes events whose entries are all drafts from open amounts, whatever their status (ledger L-100b)', async () => {
    const book = await openBooks(user);
    const { id: posted } = await recordEvent(book, { type: 'invoice_issued', amount: 100, legs: sale(100) });
    const { id } = await recordEvent(book, draft('invoice_issued', 30, sale(30)));
    const { id: paid } = await recordEvent(
      book,
      draft('payment_received', 40, receipt(40), { discharges_event_id: posted }),
    );
    for (const eventId of [id, paid])
      await done(book, 'update-event-block', { event_id: eventId, transition_to: 'committed' });
    await expectControlled(book, 100);
    await closeMarch(book);
    await expectControlled(book, 90);
    expect(await open(book)).toEqual([90, 0]);
  });
});
