/** @module-tag sessions */
import type { TestClient, TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aging } from '../src/index.ts';
import { type Books, done, openBooks, startLedger } from './books.ts';
import {
  type Business,
  bodyOf,
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

const invoice = (amount: number, more: object = {}): Business => ({
  type: 'invoice_issued',
  amount,
  legs: sale(amount),
  more,
});
const bill = (amount: number, more: object = {}): Business => ({
  type: 'bill_received',
  amount,
  legs: purchase(amount),
  more,
});
const paid = (amount: number, more: object = {}): Business => ({
  type: 'payment_received',
  amount,
  legs: receipt(amount),
  more,
});
const sent = (amount: number, more: object = {}): Business => ({
  type: 'bill_paid',
  amount,
  legs: payment(amount),
  more,
});

async function agent(book: Books, agentType: string): Promise<string> {
  return (await done(book, 'create-agent', { agent_type: agentType, name: agentType })).id;
}

/** Returns the message of a rejected event, which its preview must predict. */
async function refusal(book: Books, given: Business): Promise<string> {
  const body = bodyOf(book, given);
  const before = await book.query('{ eventBlocks(limit: 1000) { id } }');
  const preview = await book.operation('preview-event-block', body);
  const answer = await book.operation('create-event-block', body);
  expect([answer.status, preview.body.result.validation_errors]).toEqual([422, [answer.body.detail]]);
  expect(await book.query('{ eventBlocks(limit: 1000) { id } }')).toEqual(before);
  return answer.body.detail;
}

describe('open amounts in several currencies', () => {
  it('never adds up currencies: totals are in the functional currency, and lists have a row for each currency (ledger L-5, L-5a, L-100)', async () => {
    const book = await openBooks(user);
    const [client, other] = [await agent(book, 'customer'), await agent(book, 'customer')];
    await recordEvent(book, invoice(10_000, { agent_id: client }));
    await recordEvent(book, invoice(7_000, { agent_id: client, currency: 'EUR' }));
    await recordEvent(book, invoice(300, { agent_id: other, currency: 'EUR' }));
    const shown = await book.query(`{ openReceivables { totalOpenCents counterpartyCount openEventCount currency }
      openReceivablesByAgent { agentId openBalanceCents openEventCount currency }
      client: agent(id: "${client}") { openReceivable { openBalanceCents currency } }
      other: agent(id: "${other}") { openReceivable { openBalanceCents currency } } }`);
    expect(shown).toEqual({
      openReceivables: { totalOpenCents: 10_000, counterpartyCount: 1, openEventCount: 1, currency: 'USD' },
      openReceivablesByAgent: [
        { agentId: client, openBalanceCents: 10_000, openEventCount: 1, currency: 'USD' },
        { agentId: client, openBalanceCents: 7_000, openEventCount: 1, currency: 'EUR' },
        { agentId: other, openBalanceCents: 300, openEventCount: 1, currency: 'EUR' },
      ],
      client: { openReceivable: { openBalanceCents: 10_000, currency: 'USD' } },
      // Nothing is open in the functional currency, so the balance in another currency is shown.
      other: { openReceivable: { openBalanceCents: 300, currency: 'EUR' } },
    });
    const aged = await service.store.transaction({ graphId: book.graph }, (tx) =>
      service.service.services.resolve(aging).aging(tx, 'receivable', '2026-03-31'),
    );
    expect(aged.map(({ currency, total }) => [currency, total])).toEqual([
      ['EUR', 7_300n],
      ['USD', 10_000n],
    ]);
  });
});

describe('create-event-block', () => {
  it('rejects a payment in another currency than the settled event (ledger L-100a)', async () => {
    const book = await openBooks(user);
    const { id } = await recordEvent(book, invoice(10_000));
    const { id: owed } = await recordEvent(book, bill(50));
    expect(await refusal(book, paid(7_000, { currency: 'EUR', discharges_event_id: id }))).toBe(
      'A payment in EUR cannot settle an invoice in USD.',
    );
    expect(await refusal(book, sent(50, { currency: 'GBP', discharges_event_id: owed }))).toBe(
      'A payment in GBP cannot settle a bill in USD.',
    );
    expect(await open(book)).toEqual([10_000, 50]);
  });

  it('rejects a payment on the other side, whatever its event type (ledger L-100a)', async () => {
    const book = await openBooks(user);
    const { id: invoiced } = await recordEvent(book, invoice(100));
    const { id: billed } = await recordEvent(book, bill(50));
    const [customer, vendor] = [await agent(book, 'customer'), await agent(book, 'vendor')];
    const message = (what: string) =>
      expect.stringContaining(`${what}. Name one of those, or leave discharges_event_id out.`);
    const receivables = message('Money from a customer settles invoices and sales receipts');
    const payables = message('Money to a vendor settles bills');
    expect(await refusal(book, paid(50, { discharges_event_id: billed }))).toEqual(receivables);
    expect(await refusal(book, sent(100, { discharges_event_id: invoiced }))).toEqual(payables);
    const own = { type: 'journal_entry_recorded', amount: 50, legs: payment(50) };
    expect(await refusal(book, { ...own, more: { agent_id: customer, discharges_event_id: billed } })).toEqual(
      receivables,
    );
    expect(await refusal(book, { ...own, more: { agent_id: vendor, discharges_event_id: invoiced } })).toEqual(
      payables,
    );
    const line = (amount: number, dischargesEventId: string): Business => ({
      type: 'bank_transaction',
      amount,
      legs: [],
      more: {
        discharges_event_id: dischargesEventId,
        resource_element_id: book.id('1000'),
        metadata: { classified_element_id: book.id(amount > 0 ? '1100' : '2000') },
      },
    });
    expect(await refusal(book, line(50, billed))).toEqual(receivables);
    expect(await refusal(book, line(-100, invoiced))).toEqual(payables);
    await recordEvent(book, line(100, invoiced));
    await recordEvent(book, { ...own, more: { agent_id: vendor, discharges_event_id: billed } });
    await done(book, 'close-period', { period: '2026-03' });
    expect(await open(book)).toEqual([0, 0]);
  });

  it('settles by reference only events in its own currency (ledger L-90, L-100a)', async () => {
    const book = await openBooks(user);
    await recordEvent(book, invoice(100, { external_id: 'Invoice_1', currency: 'EUR' }));
    const { id } = await recordEvent(book, invoice(80, { external_id: 'Invoice_2' }));
    const made = await recordEvent(book, paid(80, { metadata: { qb_linked_txns: ['Invoice_1', 'Invoice_2'] } }));
    expect(made.discharges_event_id).toBe(id);
    const { openReceivablesByAgent } = await book.query('{ openReceivablesByAgent { openBalanceCents currency } }');
    expect(openReceivablesByAgent).toEqual([{ openBalanceCents: 100, currency: 'EUR' }]);
  });

  it('rejects an invoice that settles another invoice, and accepts a credit note (ledger L-70, L-100)', async () => {
    const book = await openBooks(user);
    const { id } = await recordEvent(book, invoice(100));
    expect(await refusal(book, invoice(50, { discharges_event_id: id }))).toContain(
      'Only a credit note, with an amount below zero, settles an event of its kind',
    );
    await recordEvent(book, {
      type: 'invoice_issued',
      amount: -20,
      legs: swapped(sale(20)),
      more: { discharges_event_id: id },
    });
    expect(await open(book)).toEqual([80, 0]);
  });
});

describe('update-event-block', () => {
  it('rejects a link across currencies or sides, and keeps the existing one (ledger L-100a)', async () => {
    const book = await openBooks(user);
    const { id: first } = await recordEvent(book, invoice(100));
    const { id: euro } = await recordEvent(book, invoice(100, { currency: 'EUR' }));
    const { id: billed } = await recordEvent(book, bill(50));
    const { id } = await recordEvent(book, paid(40, { discharges_event_id: first }));
    for (const [target, message] of [
      [euro, 'A payment in USD cannot settle an invoice in EUR.'],
      [billed, 'Money from a customer settles invoices and sales receipts'],
    ] as const) {
      const refused = await book.operation('update-event-block', { event_id: id, discharges_event_id: target });
      expect([refused.status, refused.body.detail]).toEqual([422, expect.stringContaining(message)]);
    }
    expect(await open(book)).toEqual([60, 50]);
  });
});
