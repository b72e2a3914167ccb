import type { TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EventHandler, eventHandlers, type HandledEvent, type JournalPlan } from '../src/index.ts';
import { type Books, done, entry, startLedger } from './books.ts';
import { createSchedule, entries, openScheduleBooks, van } from './schedule-books.ts';

let service: TestService;
let book: Books;
/** An event of every type that has a built-in handler. */
let events: Readonly<Record<string, Pick<HandledEvent, 'metadata'> & Partial<HandledEvent>>>;

beforeAll(async () => {
  const started = await startLedger('2026-07-01T12:00:00Z');
  service = started.service;
  book = await openScheduleBooks(started.user, 'product', { earliest_data_period: '2026-01' });
  const { id: scheduleId } = await createSchedule(book, van(book));
  const legs = [
    ['1000', 500, 0],
    ['4000', 0, 500],
  ] as const;
  await done(book, 'create-event-block', entry(book, '2026-06-10', legs, { external_id: 'reversed' }));
  const posted = (await entries(book)).find((each: { status: string }) => each.status === 'posted');
  const journal = {
    metadata: {
      posting_date: '2026-06-12',
      memo: 'test',
      line_items: legs.map(([code, debit, credit]) => ({
        element_id: book.id(code),
        debit_amount: debit,
        credit_amount: credit,
      })),
    },
  };
  const bank = {
    amount: -500,
    resourceElementId: book.id('1000'),
    metadata: { classified_element_id: book.id('6900') },
  };
  events = {
    journal_entry_recorded: journal,
    invoice_issued: journal,
    bill_received: journal,
    sales_receipt_recorded: journal,
    cash_expense_recorded: journal,
    check_written: journal,
    credit_card_charge: journal,
    credit_card_refund: journal,
    deposit_received: journal,
    inventory_adjusted: journal,
    payment_received: journal,
    bill_paid: journal,
    journal_entry_reversed: { metadata: { entry_id: posted.id, posting_date: '2026-06-30' } },
    bank_transaction: bank,
    bank_fee: bank,
    external_transfer: bank,
    internal_transfer: {
      ...bank,
      metadata: { from_element_id: book.id('1000'), to_element_id: book.id('1010') },
    },
    schedule_created: { metadata: { schedule_id: scheduleId } },
    schedule_entry_due: {
      metadata: { schedule_id: scheduleId, period_start: '2026-03-01', period_end: '2026-03-31' },
    },
    asset_disposed: {
      metadata: {
        schedule_id: scheduleId,
        reason: 'sale',
        proceeds: 2_150_000,
        proceeds_element_id: book.id('1000'),
        gain_loss_element_id: book.id('7200'),
      },
    },
  };
});
afterAll(async () => {
  await service.close();
});

const handlers = (): readonly EventHandler[] => service.service.services.resolve(eventHandlers);

function planOf(handler: EventHandler): Promise<JournalPlan | undefined> {
  const event: HandledEvent = {
    id: 'evt_1',
    eventType: handler.key,
    eventCategory: 'adjustment',
    occurredAt: '2026-06-30T10:00:00Z',
    effectiveAt: null,
    source: 'manual',
    externalId: null,
    amount: null,
    currency: 'USD',
    description: null,
    agentId: null,
    resourceType: null,
    resourceElementId: null,
    metadata: {},
    ...events[handler.key],
  };
  return service.store.transaction({ graphId: book.graph }, (tx) => handler.plan({ tx, event, today: '2026-07-01' }));
}

describe('journal plans', () => {
  it('are plain data for the event type of every built-in handler', async () => {
    expect(Object.keys(events).sort()).toEqual(
      handlers()
        .map(({ key }) => key)
        .sort(),
    );
    for (const handler of handlers()) {
      const plan = await planOf(handler);
      expect(plan, handler.key).toBeDefined();
      // A function in a plan cannot be cloned.
      expect(structuredClone(plan), handler.key).toStrictEqual(plan);
    }
  });

  it('carry an effect exactly for handlers that lock rows, or write more than the entries', async () => {
    for (const handler of handlers()) {
      const hasBehavior = [handler.lockFirst, handler.apply, handler.followUp].some((each) => each !== undefined);
      const plan = await planOf(handler);
      expect(plan?.effect !== undefined, handler.key).toBe(hasBehavior);
      expect(plan?.writtenBy === 'handler', handler.key).toBe(handler.apply !== undefined);
    }
  });
});
