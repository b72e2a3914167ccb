/** @module-tag sessions */

import { boundsOf, plusMonths } from '@pacioli/core/calendar';
import type { FixedClock, TestClient, TestService } from '@pacioli/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Books, entry, type Loose } from './books.ts';
import { lawRuns, maxLawMs } from './law-runs.ts';
import { expectLaws } from './laws.ts';
import { type BooksSnapshot, postedSums } from './read-books.ts';
import { openScheduleBooks, schedule, startScheduleService, withoutSweep } from './schedule-books.ts';

let service: TestService;
let user: TestClient;
let clock: FixedClock;
beforeAll(async () => {
  ({ service, user, clock } = await startScheduleService('2026-04-01T12:00:00Z'));
  // Only what the test requests may change these books, because each snapshot is compared with the previous one.
  await withoutSweep(service);
  // A key outlives the months that the clock skips; a session does not.
  const { body } = await user.post('/v1/user/api-keys', { name: 'months' });
  user = service.anonymous.withHeaders({ 'x-api-key': body.key });
});
afterAll(async () => {
  await service.close();
});

/** A generated schedule: its kind, its months and its amounts. */
const plan = fc
  .record({
    kind: fc.constantFrom('prepaid', 'depreciation', 'accrual'),
    start: fc.nat(3),
    months: fc.integer({ min: 1, max: 6 }),
    monthly: fc.integer({ min: 10, max: 1_000_000 }),
    /** The difference between the base and the sum of equal months. */
    rest: fc.integer({ min: -9, max: 9 }),
    isCustom: fc.boolean(),
  })
  .map((given) => ({ ...given, base: given.monthly * given.months + given.rest }));
type Plan = typeof plan extends fc.Arbitrary<infer Each> ? Each : never;

const accountsOf = {
  prepaid: ['6300', '1300'],
  depreciation: ['6900', '1590'],
  accrual: ['6000', '2200'],
} as const;

function payloadOf(book: Books, given: Plan, name: string): Loose {
  const [debit, credit] = accountsOf[given.kind];
  const first = plusMonths('2026-02', given.start);
  // The last month has the remainder.
  const share = Math.floor(given.base / (given.months + 1));
  const amounts = Array.from({ length: given.months }, (_, index) =>
    index < given.months - 1 ? share : given.base - share * (given.months - 1),
  );
  return schedule(book, debit, credit, {
    name,
    period_start: `${first}-01`,
    period_end: boundsOf(plusMonths(first, given.months - 1)).end,
    monthly_amount: given.monthly,
    entry_template: {
      debit_element_id: book.id(debit),
      credit_element_id: book.id(credit),
      auto_reverse: given.kind === 'accrual',
    },
    schedule_metadata: {
      original_amount: given.base,
      ...(given.kind === 'depreciation' ? { asset_element_id: book.id('1520') } : {}),
      ...(given.isCustom ? { method: 'custom', periodic_amounts: amounts } : {}),
    },
  });
}

/** A tenant's handler: the amount in one entry, a third of it in another (ledger 5.9). */
const rule = {
  name: 'By rule',
  event_type: 'ruled',
  transaction_template: {
    transactions: ['{{ event.amount }}', '{{ event.amount }} / 3'].map((amount) => ({
      entry_template: { debit: { element_id: 'code:1000', amount }, credit: { element_id: 'code:4000', amount } },
    })),
  },
};

const number = fc.nat(20);
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('create' as const), plan }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('promote' as const), drafts: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('close' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('wait' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reopen' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('rule' as const), cents: fc.nat(1_000_000), day: fc.nat(90) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom('rebuild' as const, 'delete' as const, 'terminate' as const, 'dispose' as const),
      of: number,
      month: fc.nat(6),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('move' as const),
      of: number,
      to: fc.constantFrom('committed', 'voided', 'fulfilled', 'pending'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom('edit' as const, 'remove' as const, 'reverse' as const), of: number }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer Each> ? Each : never;

/** The request of a step on these books; undefined when the step has no subject. */
function requestOf(
  book: Books,
  seen: BooksSnapshot,
  given: Step,
  label: string,
): readonly [string, object] | undefined {
  const today = clock.now().toISOString().slice(0, 10);
  const pick = <Item>(list: readonly Item[], of: number): Item | undefined => list[of % Math.max(list.length, 1)];
  if (given.do === 'create')
    return ['create-information-block', { block_type: 'schedule', payload: payloadOf(book, given.plan, label) }];
  if (given.do === 'rule') {
    const occurredAt = new Date(Date.parse('2026-02-01T10:00:00Z') + given.day * 86_400_000).toISOString();
    const fields = { event_type: 'ruled', event_category: 'sales', source: 'manual', apply_handlers: true };
    return ['create-event-block', { ...fields, occurred_at: occurredAt, amount: given.cents, external_id: label }];
  }
  if (given.do === 'promote') return ['promote-obligations', { dispatch_handlers: given.drafts }];
  if (given.do === 'close' || given.do === 'wait') {
    // A wait closes a month as well.
    const period = seen.months.find((month) => month.status !== 'closed')?.name;
    return period === undefined ? undefined : ['close-period', { period, allow_stranded_obligations: true }];
  }
  if (given.do === 'reopen') {
    const period = seen.calendar?.closed_through ?? undefined;
    return period === undefined ? undefined : ['reopen-period', { period, reason: 'generated' }];
  }
  if (given.do === 'move') {
    const due = seen.events.filter((event) => event.event_type === 'schedule_entry_due');
    const event = pick(due, given.of);
    return event === undefined ? undefined : ['update-event-block', { event_id: event.id, transition_to: given.to }];
  }
  if (!('month' in given)) {
    const entryId = pick(seen.entries, given.of)?.id;
    if (entryId === undefined) return undefined;
    if (given.do === 'remove') return ['delete-journal-entry', { entry_id: entryId }];
    if (given.do === 'edit') return ['update-journal-entry', { entry_id: entryId, memo: label }];
    const body = entry(book, today, [], { event_type: 'journal_entry_reversed' });
    return ['create-event-block', { ...body, metadata: { entry_id: entryId, posting_date: today } }];
  }
  const structureId = pick(seen.schedules, given.of)?.structure_id;
  if (structureId === undefined) return undefined;
  if (given.do === 'rebuild') return ['rebuild-schedule', { structure_id: structureId }];
  if (given.do === 'delete')
    return ['delete-information-block', { block_type: 'schedule', payload: { structure_id: structureId } }];
  const day = boundsOf(plusMonths('2026-02', given.month)).end;
  if (given.do === 'terminate')
    return ['terminate-schedule', { structure_id: structureId, new_end_date: day, reason: 'generated' }];
  const body = entry(book, day, [], { event_type: 'asset_disposed', occurred_at: `${day}T10:00:00Z` });
  const accounts = { proceeds_element_id: book.id('1000'), gain_loss_element_id: book.id('7200') };
  return ['create-event-block', { ...body, metadata: { schedule_id: structureId, proceeds: 100, ...accounts } }];
}

describe('generated schedules', () => {
  it('posts each month of a schedule once and obeys the laws in any sequence of operations, with tenant handlers (ledger L-104, L-182 to L-190, L-207, L-211)', {
    timeout: maxLawMs,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25, size: 'max' }), async (steps) => {
        clock.set('2026-04-01T12:00:00Z');
        const book = await openScheduleBooks(user, 'product', { earliest_data_period: '2026-02' });
        expect((await book.operation('create-event-handler', rule)).status).toBe(200);
        let seen = await expectLaws(service, book);
        for (const [index, each] of steps.entries()) {
          if (each.do === 'wait') clock.set(`${plusMonths(clock.now().toISOString().slice(0, 7), 1)}-01T12:00:00Z`);
          const request = requestOf(book, seen, each, `Schedule ${index}`);
          if (request === undefined) continue;
          const [name, body] = request;
          const answer = await book.operation(name, body);
          const isKnown = [200, 404, 409, 422].includes(answer.status);
          expect([name, body, answer.status, isKnown, answer.body.detail]).toEqual([
            name,
            body,
            answer.status,
            true,
            answer.body.detail,
          ]);
          seen = await expectLaws(service, book, seen);
        }
      }),
      lawRuns(4),
    );
  });

  it('ends a schedule with a disposal that replaces all remaining months (ledger L-188, L-195)', async () => {
    clock.set('2026-04-01T12:00:00Z');
    const book = await openScheduleBooks(user, 'product', { earliest_data_period: '2026-02' });
    const van = { kind: 'depreciation', start: 0, months: 4, monthly: 10, rest: 0, isCustom: false, base: 40 } as const;
    const payload = payloadOf(book, van, 'Van');
    const made = await book.operation('create-information-block', { block_type: 'schedule', payload });
    const before = await expectLaws(service, book);
    const metadata = {
      schedule_id: made.body.result.id,
      proceeds: 100,
      proceeds_element_id: book.id('1000'),
      gain_loss_element_id: book.id('7200'),
    };
    const body = entry(book, '2026-03-31', [], { event_type: 'asset_disposed', occurred_at: '2026-03-31T10:00:00Z' });
    const disposed = await book.operation('create-event-block', { ...body, metadata });
    expect([disposed.status, disposed.body.detail]).toEqual([200, undefined]);
    const after = await expectLaws(service, book, before);
    const replaced = after.events.filter((event) => event.replaced_by_event_id === disposed.body.result.id);
    expect(replaced.map((event) => event.status)).toEqual(['voided', 'voided']);
  });

  it('accepts the reversal of a posted month of a schedule, in its own transaction (ledger L-50, L-195)', async () => {
    clock.set('2026-04-01T12:00:00Z');
    const book = await openScheduleBooks(user, 'product', { earliest_data_period: '2026-02' });
    const rent = { kind: 'prepaid', start: 0, months: 2, monthly: 10, rest: 0, isCustom: false, base: 20 } as const;
    const payload = payloadOf(book, rent, 'Rent');
    expect((await book.operation('create-information-block', { block_type: 'schedule', payload })).status).toBe(200);
    expect((await book.operation('promote-obligations')).status).toBe(200);
    expect((await book.operation('close-period', { period: '2026-02' })).status).toBe(200);
    const before = await expectLaws(service, book);
    const posted = before.entries.find((each) => each.status === 'posted');
    expect(posted?.transaction_id).toBeNull();
    const body = entry(book, '2026-03-15', [], { event_type: 'journal_entry_reversed' });
    const metadata = { entry_id: posted?.id, posting_date: '2026-03-15' };
    const answer = await book.operation('create-event-block', { ...body, metadata });
    expect([answer.status, answer.body.detail]).toEqual([200, undefined]);
    const after = await expectLaws(service, book, before);
    expect(after.entries.find((each) => each.reversal_of === posted?.id)?.transaction_id).toMatch(/^txn_/);
  });

  it('posts months that add up to the base of the schedule, with the final balances of its kind and every month fulfilled (ledger L-178, L-179, L-207)', {
    timeout: maxLawMs,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(plan, fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }), async (given, again) => {
        clock.set('2026-04-01T12:00:00Z');
        const book = await openScheduleBooks(user, 'product', { earliest_data_period: '2026-02' });
        const [debit, credit] = accountsOf[given.kind];
        if (given.kind === 'prepaid') {
          const bought = entry(book, '2026-02-01', [
            [credit, given.base, 0],
            ['1000', 0, given.base],
          ]);
          expect((await book.operation('create-event-block', bought)).status).toBe(200);
        }
        const payload = payloadOf(book, given, 'By chance');
        const made = await book.operation('create-information-block', { block_type: 'schedule', payload });
        expect([made.status, made.body.detail]).toEqual([200, undefined]);
        // One month more than the schedule has, for the reversal of the last accrual.
        for (let month = 0; month <= given.start + given.months; month += 1) {
          const period = plusMonths('2026-02', month);
          clock.set(`${plusMonths(period, 1)}-01T12:00:00Z`);
          const times = again[month] === true ? 2 : 1;
          for (let time = 0; time < times; time += 1)
            expect((await book.operation('promote-obligations')).status).toBe(200);
          const closed = await book.operation('close-period', { period });
          expect([period, closed.status, closed.body.details]).toEqual([period, 200, undefined]);
          if (again[month] !== true) continue;
          expect((await book.operation('reopen-period', { period, reason: 'once more' })).status).toBe(200);
          expect((await book.operation('close-period', { period })).status).toBe(200);
        }
        const seen = await expectLaws(service, book);
        const months = seen.schedules[0]?.months ?? [];
        expect(months.reduce((sum, { amount }) => sum + amount, 0)).toBe(given.base);
        const due = seen.events.filter((event) => event.event_type === 'schedule_entry_due');
        expect(due.map((event) => event.status)).toEqual(Array(given.months).fill('fulfilled'));
        const sums = postedSums(seen);
        const net = (code: string) => {
          const { debit: debits, credit: credits } = sums.get(book.id(code)) ?? { debit: 0n, credit: 0n };
          return Number(debits - credits);
        };
        const end = { prepaid: [given.base, 0], depreciation: [given.base, -given.base], accrual: [0, 0] }[given.kind];
        expect([net(debit), net(credit)]).toEqual(end);
      }),
      lawRuns(4),
    );
  });
});
