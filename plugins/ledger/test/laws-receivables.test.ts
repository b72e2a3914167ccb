import type { TestClient, TestService } from '@pacioli/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Books, entry, type Leg, type Loose, openBooks, startLedger } from './books.ts';
import { landedSums, type Seen } from './books-seen.ts';
import { law_ms_max, lawRuns } from './law-runs.ts';
import { expectLaws } from './laws.ts';

let service: TestService;
let user: TestClient;
beforeAll(async () => {
  ({ service, user } = await startLedger());
});
afterAll(async () => {
  await service.close();
});

const sides = {
  sales: { invoice: 'invoice_issued', payment: 'payment_received', control: '1100', other: '4000', sign: 1 },
  purchase: { invoice: 'bill_received', payment: 'bill_paid', control: '2000', other: '5000', sign: -1 },
} as const;
type SideName = keyof typeof sides;

/** An invoice or bill, or a payment of one that is in the books, more or less than it is open. */
const step = fc.record({
  side: fc.constantFrom<SideName>('sales', 'purchase'),
  does: fc.constantFrom('invoice', 'invoice', 'payment', 'payment', 'void', 'relink'),
  mode: fc.constantFrom('captured', 'draft', 'posted', 'posted', 'posted'),
  cents: fc.integer({ min: 1, max: 5_000_000_000 }),
  agent: fc.nat(2),
  of: fc.nat(20),
});
type Step = typeof step extends fc.Arbitrary<infer Each> ? Each : never;

async function take(book: Books, seen: Seen, given: Step, agents: readonly string[]): Promise<void> {
  const side = sides[given.side];
  const booked = seen.events.filter((event) => event.event_type === side.invoice && event.status === 'fulfilled');
  const invoice = booked[given.of % Math.max(booked.length, 1)];
  const payments = seen.events.filter((event) => event.event_type === side.payment && event.status === 'fulfilled');
  const payment = payments[given.of % Math.max(payments.length, 1)];
  if (given.does === 'void') {
    const waiting = seen.events.filter((event) => ['captured', 'classified'].includes(event.status));
    const event = waiting[given.of % Math.max(waiting.length, 1)];
    if (event !== undefined)
      await book.operation('update-event-block', { event_id: event.id, transition_to: 'voided' });
    return;
  }
  if (given.does === 'relink') {
    if (payment === undefined || invoice === undefined) return;
    const body = { event_id: payment.id, discharges_event_id: invoice.id };
    expect((await book.operation('update-event-block', body)).status).toBe(200);
    return;
  }
  if (given.does === 'payment' && invoice === undefined) return;
  const isDebit = (given.does === 'invoice') === (side.sign === 1);
  const other = given.does === 'invoice' ? side.other : '1000';
  const legs: readonly Leg[] = [
    [side.control, isDebit ? given.cents : 0, isDebit ? 0 : given.cents],
    [other, isDebit ? 0 : given.cents, isDebit ? given.cents : 0],
  ];
  const body = entry(book, '2026-03-12', legs, {
    event_type: side[given.does],
    event_category: given.side,
    amount: given.cents,
    agent_id: agents[given.agent],
    discharges_event_id: given.does === 'payment' ? invoice?.id : null,
    apply_handlers: given.mode !== 'captured',
  }) as Loose; // The body of the helper has metadata.
  const status = given.mode === 'posted' ? 'posted' : 'draft';
  const answer = await book.operation('create-event-block', { ...body, metadata: { ...body.metadata, status } });
  expect([answer.status, answer.body.detail]).toEqual([200, undefined]);
}

describe('what is open', () => {
  it('is what the control account says, in sum and by counterparty, while invoices and payments alone write to it (ledger L-100, L-206)', {
    timeout: law_ms_max,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25, size: 'max' }), async (steps) => {
        const book = await openBooks(user);
        const agents: string[] = [];
        for (const name of ['A', 'B', 'C'])
          agents.push((await book.operation('create-agent', { agent_type: 'customer', name })).body.result.id);
        let seen = await expectLaws(service, book);
        for (const each of steps) {
          await take(book, seen, each, agents);
          seen = await expectLaws(service, book, seen);
          const open = await book.query(`{ openReceivables { totalOpenCents } openPayables { totalOpenCents }
              openReceivablesByAgent { openBalanceCents } openPayablesByAgent { openBalanceCents } }`);
          const sums = landedSums(seen);
          for (const [name, { control, sign }] of Object.entries(sides)) {
            const field = name === 'sales' ? 'openReceivables' : 'openPayables';
            const sum = sums.get(book.id(control)) ?? { debit: 0n, credit: 0n };
            const balance = Number(sum.debit - sum.credit) * sign;
            const byAgent = open[`${field}ByAgent`].map((row: Loose) => row.openBalanceCents);
            expect([name, open[field].totalOpenCents]).toEqual([name, balance + 0]);
            expect([name, byAgent.reduce((total: number, cents: number) => total + cents, 0)]).toEqual([
              name,
              balance + 0,
            ]);
          }
        }
      }),
      lawRuns(4),
    );
  });
});
