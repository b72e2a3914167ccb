/** @module-tag sessions */
import type { TestClient, TestService } from '@pacioli/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reconciliation } from '../src/index.ts';
import { type Books, type Loose, openBooks, startLedger } from './books.ts';
import { lawRuns, maxLawMs } from './law-runs.ts';
import { expectLaws } from './laws.ts';
import { LogReplay, logAfter } from './log-replay.ts';
import { bodyOf, today } from './model-requests.ts';
import { Player } from './model-runner.ts';
import { codes, recordStep, step } from './model-steps.ts';

let service: TestService;
let user: TestClient;
beforeAll(async () => {
  ({ service, user } = await startLedger(now));
});
afterAll(async () => {
  await service.close();
});

const now = `${today}T12:00:00Z`;
const terminal = ['voided', 'superseded'];

/** Summarizes books by account code: the entries of each event, and the balances of each day. */
async function summaryOf(book: Books, nameOf: (eventId: string) => string): Promise<object> {
  const seen = await expectLaws(service, book);
  const code = new Map(codes.map((each) => [book.id(each), each]));
  const entries = seen.entries.map((entry) => {
    const lines = entry.lines.map((line) => `${code.get(line.element_id)} ${line.debit_amount} ${line.credit_amount}`);
    const what = `${entry.posting_date} ${entry.type} ${entry.status} ${lines.sort().join(', ')}`;
    return `${nameOf(entry.event_id ?? '')}: ${what}`;
  });
  const events = seen.events.map((event) => `${nameOf(event.id)} ${event.event_type} ${event.status}`);
  const days = [...new Set(seen.entries.map((entry) => entry.posting_date))].sort();
  const rows = '{ rows { accountCode totalDebits totalCredits } }';
  const fields = days.map((day, index) => `d${index}: trialBalance(endDate: "${day}") ${rows}`);
  const balances = days.length === 0 ? {} : await book.query(`{ ${fields.join(' ')} }`);
  return { entries: entries.sort(), events: events.sort(), days, balances };
}

/** The log of events as the API shows it, in the order of recording. */
async function eventLog(book: Books): Promise<readonly Loose[]> {
  const { eventBlocks } = await book.query(
    `{ eventBlocks(limit: 1000) { id eventType eventCategory status occurredAt source externalId currency metadata replacedByEventId } }`,
  );
  return eventBlocks.sort((a: Loose, b: Loose) => (a.id < b.id ? -1 : 1));
}

/** Replays a log on other books with the same chart. Returns the new id of each event. */
async function replay(log: readonly Loose[], from: Books, to: Books): Promise<ReadonlyMap<string, string>> {
  const seen = await expectLaws(service, from);
  const eventOf = new Map(seen.entries.map((entry) => [entry.id, entry.event_id ?? '']));
  const accounts = new Map(codes.map((code) => [from.id(code), to.id(code)]));
  const ids = new Map<string, string>();
  const move = async (eventId: string, transitionTo: string, more: object = {}): Promise<void> => {
    const answer = await to.operation('update-event-block', {
      event_id: eventId,
      transition_to: transitionTo,
      ...more,
    });
    expect([answer.status, answer.body.detail]).toEqual([200, undefined]);
  };
  for (const event of log) {
    const hasEntries = seen.entries.some((entry) => entry.event_id === event.id);
    const text = JSON.stringify(event.metadata).replaceAll(/elem_[0-9A-Z]+/g, (id) => accounts.get(id) ?? id);
    const metadata = JSON.parse(text);
    if (event.eventType === 'journal_entry_reversed') {
      const recorded = await expectLaws(service, to);
      const original = seen.entries.find((entry) => entry.id === metadata.entry_id);
      const siblings = seen.entries.filter((entry) => entry.event_id === original?.event_id).map((entry) => entry.id);
      const copies = recorded.entries.filter(
        (entry) => entry.event_id === ids.get(eventOf.get(metadata.entry_id) ?? ''),
      );
      // Entries of one event are written in order, with ascending ids.
      metadata.entry_id = copies[siblings.indexOf(metadata.entry_id)]?.id;
    }
    const answer = await to.operation('create-event-block', {
      event_type: event.eventType,
      event_category: event.eventCategory,
      occurred_at: event.occurredAt,
      source: event.source,
      external_id: event.externalId,
      currency: event.currency,
      apply_handlers: hasEntries,
      metadata,
    });
    expect([answer.status, answer.body.detail]).toEqual([200, undefined]);
    const { id, status } = answer.body.result;
    ids.set(event.id, id);
    if (terminal.includes(event.status) || status === event.status) continue;
    if (status === 'captured' && event.status !== 'classified') await move(id, 'classified');
    await move(id, event.status);
  }
  // A successor must be live when it replaces an event; it may be superseded itself afterwards.
  const left = log.filter((event) => event.status === 'superseded');
  while (left.length > 0) {
    const free = left.findIndex((event) => !left.some((other) => other.replacedByEventId === event.id));
    const [event] = left.splice(free, 1);
    await move(ids.get(event.id) ?? '', 'superseded', { superseded_by_id: ids.get(event.replacedByEventId) });
  }
  for (const event of log.filter((each) => each.status === 'voided')) await move(ids.get(event.id) ?? '', 'voided');
  return ids;
}

/** Replays the log of the books on new ones, and compares the summaries and the calendars. */
async function expectReplay(book: Books, first: number): Promise<void> {
  const other = await openBooks(user);
  const last = (await logAfter(service.store, other.graph, 0)).at(-1)?.id ?? 0;
  const accounts = new Map(codes.map((code) => [book.id(code), other.id(code)]));
  const replayed = new LogReplay(
    {
      store: service.store,
      reconciliation: service.service.services.resolve(reconciliation),
      now: () => new Date(now),
    },
    other,
    { ids: accounts, last },
  );
  await replayed.run(await logAfter(service.store, book.graph, first));
  const names = new Map([...replayed.ids.values()].map((id, index) => [id, `thing ${index}`]));
  const before = await summaryOf(book, (id) => names.get(replayed.ids.get(id) ?? '') ?? id);
  expect(await summaryOf(other, (id) => names.get(id) ?? id)).toEqual(before);
  const months = '{ fiscalCalendar { closedThrough closeTarget periods { name status } } }';
  expect(await other.query(months)).toEqual(await book.query(months));
}

describe('ledger log', () => {
  it('replays the ledger log in an empty graph to the same log, balances, entries, statuses and months (ledger L-203, L-214)', {
    timeout: maxLawMs,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25, size: 'max' }), async (taken) => {
        const book = await openBooks(user);
        const first = (await logAfter(service.store, book.graph, 0)).at(-1)?.id ?? 0;
        const player = new Player(service, book, codes);
        for (const each of taken) await player.take(each);
        await expectReplay(book, first);
      }),
      lawRuns(3),
    );
  });

  it('logs handler versions, draft edits and dispositions in their order (ledger L-112, L-143, L-203)', {
    timeout: maxLawMs,
  }, async () => {
    const book = await openBooks(user);
    const first = (await logAfter(service.store, book.graph, 0)).at(-1)?.id ?? 0;
    const send = async (name: string, body: object): Promise<Loose> => {
      const answer = await book.operation(name, body);
      expect([name, answer.status, answer.body.detail]).toEqual([name, 200, undefined]);
      return answer.body.result;
    };
    const template = (code: string) => {
      const entryTemplate = {
        debit: { element_id: 'code:1000', amount: '{{ event.amount }}' },
        credit: { element_id: `code:${code}`, amount: '{{ event.amount }}' },
      };
      return { transactions: [{ entry_template: entryTemplate }] };
    };
    const tip = {
      event_type: 'tip',
      event_category: 'sales',
      occurred_at: '2026-03-10T10:00:00Z',
      source: 'manual',
      amount: 70,
    };
    const rule = await send('create-event-handler', {
      name: 'Tips',
      event_type: 'tip',
      transaction_template: template('4000'),
    });
    await send('create-event-block', { ...tip, apply_handlers: true });
    // After the change of the handler the same event posts elsewhere, so a replay with the newest version would differ.
    await send('update-event-handler', {
      event_handler_id: rule.id,
      transaction_template: template('2000'),
      priority: 3,
    });
    await send('create-event-block', { ...tip, amount: 5, apply_handlers: true });
    const { journalEntries } = await book.query('{ journalEntries { entries { id } } }');
    await send('update-journal-entry', {
      entry_id: journalEntries.entries[0].id,
      memo: 'by hand',
      posting_date: '2026-03-12',
    });
    const lines = (cents: number) => [
      { element_id: book.id('1000'), debit_amount: cents },
      { element_id: book.id('4000'), credit_amount: cents },
    ];
    for (const [number, disposition] of [
      [1, 'restate'],
      [2, 'catch_up'],
      [3, 'acknowledge'],
    ] as const) {
      const delivered = (version: number, cents: number) => ({
        source: 'feed',
        externalId: `Sale_${number}`,
        connectionId: 'conn_f',
        eventType: 'journal_entry_recorded',
        eventCategory: 'sales',
        eventAction: null,
        occurredAt: '2026-03-20T00:00:00Z',
        effectiveAt: null,
        amount: cents,
        currency: 'USD',
        description: null,
        agentId: null,
        resourceElementId: null,
        externalUrl: null,
        metadata: { posting_date: '2026-03-20', memo: 'fed', line_items: lines(cents) },
        version,
      });
      const by = { userId: 'usr_sync', now: new Date(now) };
      const books = service.service.services.resolve(reconciliation);
      const inBooks = <T>(work: (tx: Parameters<typeof books.book>[0]) => Promise<T>) =>
        service.store.transaction({ graphId: book.graph }, work);
      const { eventId } = await inBooks((tx) => books.deliver(tx, delivered(0, 500), by));
      expect((await inBooks((tx) => books.book(tx, eventId, by.now))).isBooked).toBe(true);
      expect((await inBooks((tx) => books.deliver(tx, delivered(1, 400 + number), by))).kind).toBe('flagged');
      await send('resolve-reconciling-item', { event_id: eventId, disposition, note: 'as agreed' });
    }
    await send('close-period', { period: '2026-03' });
    await expectReplay(book, first);
    const restated = (await logAfter(service.store, book.graph, first)).find(
      ({ kind, payload }) => kind === 'entry_deleted' && payload.reason === 'restated',
    );
    expect(restated).toMatchObject({ payload: { entry: { status: 'posted' } } });
  });
});

describe('event log', () => {
  it('replays the event log in an empty graph to the same balances on every day, entries and statuses (ledger L-203)', {
    timeout: maxLawMs,
  }, async () => {
    // Edits of drafts and closes of months are not part of the log of events (ledger L-57, L-193).
    const steps = fc.array(
      step.filter((each) => !['edit', 'remove', 'close', 'reopen', 'reclose'].includes(each.do)),
      { minLength: 1, maxLength: 25, size: 'max' },
    );
    await fc.assert(
      fc.asyncProperty(steps, async (taken) => {
        const book = await openBooks(user);
        const player = new Player(service, book, codes);
        for (const each of taken) await player.take(each);
        const log = await eventLog(book);
        const other = await openBooks(user);
        const ids = await replay(log, book, other);
        const names = new Map([...ids].map(([, id], index) => [id, `event ${index}`]));
        const before = await summaryOf(book, (id) => names.get(ids.get(id) ?? '') ?? id);
        expect(await summaryOf(other, (id) => names.get(id) ?? id)).toEqual(before);
      }),
      lawRuns(3),
    );
  });

  it('accepts the event log in any order, in parts and more than once (ledger L-201)', {
    timeout: maxLawMs,
  }, async () => {
    const batch = fc
      .array(recordStep, { minLength: 1, maxLength: 12, size: 'max' })
      .chain((records) =>
        fc.tuple(
          fc.constant(records),
          fc.array(fc.nat(records.length - 1), { minLength: records.length, maxLength: records.length * 2 }),
        ),
      );
    await fc.assert(
      fc.asyncProperty(batch, async ([records, order]) => {
        // The functional currency is set at the start, so that it does not depend on the first posting (ledger L-5a).
        const settled = () => openBooks(user, 'llc', { functional_currency: 'USD' });
        const [book, other] = [await settled(), await settled()];
        const deliver = async (to: Books, places: readonly number[]): Promise<void> => {
          for (const place of places) {
            const record = records[place];
            if (record === undefined) throw new Error('The order names a record that is there.');
            const answer = await to.operation('create-event-block', bodyOf(to, record, `d-${place}`));
            expect([200, 409]).toContain(answer.status);
          }
        };
        const all = records.map((_, index) => index);
        await deliver(book, all);
        await deliver(other, [...order, ...all.toReversed(), ...order]);
        const named = async (of: Books) => {
          const { events } = await expectLaws(service, of);
          const names = new Map(events.map((event) => [event.id, event.external_id ?? '']));
          return summaryOf(of, (id) => names.get(id) ?? id);
        };
        expect(await named(other)).toEqual(await named(book));
      }),
      lawRuns(3),
    );
  });
});
