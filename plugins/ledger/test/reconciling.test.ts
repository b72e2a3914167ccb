import blocks from '@pacioli/blocks';
import { contribute, definePlugin, sql } from '@pacioli/core';
import taxonomy from '@pacioli/taxonomy';
import { type FixedClock, fixedClock, startTestService, type TestClient, type TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import ledger, {
  type Delivery,
  eventHandlers,
  eventSources,
  type Reconciliation,
  reconciliation,
} from '../src/index.ts';
import { type Books, type Loose, openBooks } from './books.ts';

let service: TestService;
let clock: FixedClock;
let user: TestClient;
let book: Books;
let racing: Delivery | undefined;
let meanwhile: ReturnType<typeof sql> | undefined;

/** The provider's numbers of accounts, by our codes. */
const providerIds = { '1000': '35', '1100': '84', '4000': '79', '6700': '61', '1510': '70' };

beforeAll(async () => {
  clock = fixedClock('2026-04-01T12:00:00Z');
  const beside = definePlugin({
    name: 'beside',
    title: 'A provider of books',
    version: '0.1.0',
    kernel: '^0.1.0',
    dependsOn: ['ledger'],
    contributions: [
      contribute(eventSources, 'test', {
        create: () => ({
          live: async () => [
            { source: 'quickbooks', connectionId: 'conn_q' },
            { source: 'shopfeed', connectionId: 'conn_s' },
          ],
        }),
      }),
      contribute(eventHandlers, 'raced', {
        create: () => ({
          displayName: 'Raced',
          plan: async ({ tx, event }) => {
            // Another delivery arrives while the difference is being looked at.
            if (racing !== undefined) await service.service.services.resolve(reconciliation).deliver(tx, racing, by());
            // Somebody else changes the books at the same time, once.
            const change = meanwhile;
            meanwhile = undefined;
            if (change !== undefined) await tx.query(change);
            return { eventStatus: 'classified', transactionId: null, entries: racingEntries(event.metadata['cents']) };
          },
        }),
      }),
    ],
  });
  service = await startTestService({
    plugins: [taxonomy, blocks, ledger, beside],
    aliases: { ledger: ['roboledger'] },
    clock,
    settings: { orgs: { maxGraphs: -1 } },
  });
  user = await service.newUser('Ann');
  book = await openBooks(user);
  const pairs = Object.entries(providerIds);
  await inStore(sql`
    UPDATE taxonomy_element AS e SET external_id = p.id, external_source = 'quickbooks', connection_id = 'conn_q'
    FROM unnest(${pairs.map(([code]) => book.id(code))}::text[], ${pairs.map(([, id]) => id)}::text[]) AS p (element, id) WHERE e.id = p.element`);
});
afterAll(async () => {
  await service.close();
});

const by = () => ({ userId: 'usr_sync', now: clock.now() });
const inStore = <T>(statement: ReturnType<typeof sql<T>>) =>
  service.store.transaction({ graphId: book.graph }, (tx) => tx.query(statement));
const racingEntries = (cents: unknown) => [
  {
    postingDate: '2026-03-10',
    memo: null,
    type: 'standard' as const,
    status: 'draft' as const,
    reversalOf: null,
    lines: ['1000', '4000'].map((code, side) => ({
      elementId: book.id(code),
      debit: side === 0 ? BigInt(Number(cents)) : 0n,
      credit: side === 1 ? BigInt(Number(cents)) : 0n,
      description: null,
      metadata: null,
    })),
  },
];

type Leg = readonly [providerAccount: string, debit: number, credit: number];
let number = 100;
const nextId = () => {
  number += 1;
  return `Invoice_${number}`;
};

function delivery(
  externalId: string,
  version: number,
  date: string,
  legs: readonly Leg[],
  more: Partial<Delivery> = {},
): Delivery {
  const line_items = legs.map(([element_external_id, debit_amount, credit_amount]) => ({
    element_external_id,
    debit_amount,
    credit_amount,
  }));
  return {
    source: 'quickbooks',
    externalId,
    connectionId: 'conn_q',
    eventType: 'invoice_issued',
    eventCategory: 'sales',
    eventAction: 'transferAllRights',
    occurredAt: `${date}T00:00:00Z`,
    effectiveAt: null,
    amount: legs.reduce((sum, [, debit]) => sum + debit, 0),
    currency: 'USD',
    description: null,
    agentId: null,
    resourceElementId: null,
    externalUrl: null,
    metadata: { entries: legs.length === 0 ? [] : [{ posting_date: date, memo: 'from the provider', line_items }] },
    version,
    ...more,
  };
}
const invoice = (id: string, version: number, cents: number, date = '2026-03-10') =>
  delivery(id, version, date, [
    ['84', cents, 0],
    ['79', 0, cents],
  ]);

const withBooks = <T>(
  work: (tx: Parameters<Reconciliation['book']>[0], it: Reconciliation) => Promise<T>,
): Promise<T> =>
  service.store.transaction({ graphId: book.graph }, (tx) =>
    work(tx, service.service.services.resolve(reconciliation)),
  );
const deliver = (record: Delivery) => withBooks((tx, books) => books.deliver(tx, record, by()));

/** A record that was booked as the provider has it. */
async function booked(record: Delivery): Promise<string> {
  const { eventId, kind } = await deliver(record);
  const booking = await withBooks((tx, books) => books.book(tx, eventId, clock.now()));
  expect([kind, booking]).toEqual(['captured', { isBooked: true, status: 'fulfilled' }]);
  return eventId;
}
const preview = (event_id: string) => book.operation('preview-reconciling-item', { event_id });
const resolve = (event_id: string, more: object = {}) =>
  book.operation('resolve-reconciling-item', { event_id, ...more });

/** Every row that a resolution could touch. */
async function everything(): Promise<readonly unknown[]> {
  const tables = [
    'ledger_event',
    'ledger_transaction',
    'ledger_entry',
    'ledger_line_item',
    'ledger_entry_history',
    'ledger_event_settlement',
  ];
  const found: unknown[] = [];
  for (const table of tables) found.push(await inStore(sql`SELECT * FROM ${sql.table(table)} ORDER BY 1, 2, 3`));
  return found;
}
async function refused(work: () => Promise<Loose>, status: number, message: string): Promise<void> {
  const before = await everything();
  const answer = await work();
  expect([answer.status, answer.body.detail]).toEqual([status, expect.stringContaining(message)]);
  expect(await everything()).toEqual(before);
}
const event = async (id: string): Promise<Loose> =>
  (await book.query(`{ eventBlock(id: "${id}") { status amount isReconcilingItem metadata occurredAt } }`))[
    'eventBlock'
  ];
async function months(status: string, ...names: readonly string[]): Promise<void> {
  await inStore(sql`UPDATE ledger_fiscal_period SET status = ${status} WHERE name = ANY (${[...names]}::text[])`);
}
/** What an account has in all, debit-positive. */
async function net(code: string): Promise<number> {
  const [row] = await inStore(sql<{ net: number }>`
    SELECT coalesce(sum(debit_amount - credit_amount), 0)::bigint AS net FROM ledger_line_item WHERE is_landed AND element_id = ${book.id(code)}`);
  return row?.net ?? 0;
}

describe('a delivery', () => {
  it('makes one event, however often it comes (ledger L-130, L-201)', async () => {
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

  it('of a record that nobody booked overwrites it (ledger L-130)', async () => {
    const name = nextId();
    const { eventId } = await deliver(invoice(name, 0, 100));
    expect((await deliver(invoice(name, 1, 200))).kind).toBe('updated');
    expect(await event(eventId)).toMatchObject({ status: 'captured', amount: 200, isReconcilingItem: false });
    await book.operation('update-event-block', { event_id: eventId, transition_to: 'voided' });
    expect((await deliver(invoice(name, 2, 300))).kind).toBe('left');
    expect(await event(eventId)).toMatchObject({ status: 'voided', amount: 200 });
  });

  it('that says something else than the books flags them and leaves them; one that agrees again clears it (ledger L-136)', async () => {
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

  it('that a newer one follows while it is booked is not booked, and the newer one stays (ledger L-130, L-9)', async () => {
    const name = nextId();
    const record = (version: number, cents: number): Delivery => ({
      ...invoice(name, version, cents),
      eventType: 'raced',
      metadata: { cents },
    });
    const { eventId } = await deliver(record(0, 60));
    const before = await everything();
    racing = record(1, 50);
    await expect(withBooks((tx, books) => books.book(tx, eventId, clock.now()))).rejects.toMatchObject({
      kind: 'conflict',
      message: expect.stringContaining('is being written by another process'),
    });
    racing = undefined;
    expect(await everything()).toEqual(before);
    await deliver(record(1, 50));
    expect(await withBooks((tx, books) => books.book(tx, eventId, clock.now()))).toMatchObject({ isBooked: true });
    const [sum] = await inStore(
      sql`SELECT sum(debit_amount)::int AS debit FROM ledger_line_item AS l JOIN ledger_entry AS e ON e.id = l.entry_id WHERE e.event_id = ${eventId}`,
    );
    expect(sum).toEqual({ debit: 50 });
  });

  it('that cannot be booked stays captured and says why (ledger L-88, L-132)', async () => {
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

describe('a reconciling item', () => {
  it('shows its difference by account and what may be done (ledger L-137, L-138)', async () => {
    const name = nextId();
    const id = await booked(invoice(name, 0, 320_000));
    await deliver(invoice(name, 1, 300_000));
    const before = await everything();
    const { result } = (await preview(id)).body;
    expect(result).toMatchObject({
      event_id: id,
      source: 'quickbooks',
      event_status: 'fulfilled',
      external_id: name,
      default_disposition: 'restate',
      default_posting_date: '2026-03-31',
      affected_posting_dates: ['2026-03-10'],
      closed_periods: [],
      restate_blockers: [],
      no_gl_effect: false,
      prior_entries: [{ status: 'posted', total_debit: 320_000, total_credit: 320_000 }],
      accepted_entries: [{ entry_id: null, status: null, total_debit: 300_000, total_credit: 300_000 }],
    });
    expect(
      result.delta.map((line: Loose) => [line.element_code, line.prior_net, line.accepted_net, line.delta]),
    ).toEqual([
      ['1100', 320_000, 300_000, -20_000],
      ['4000', -320_000, -300_000, 20_000],
    ]);
    expect(await everything()).toEqual(before);
    await resolve(id, { disposition: 'acknowledge', note: 'done' });
  });

  it('is restated in place, and what it replaced is kept (ledger L-140, L-143, L-214)', async () => {
    const name = nextId();
    const id = await booked(invoice(name, 0, 700));
    const [old] = await inStore(sql<{ id: string }>`SELECT id FROM ledger_entry WHERE event_id = ${id}`);
    const before = [await net('1100'), await net('4000')];
    await deliver(invoice(name, 1, 550, '2026-03-12'));
    const { result } = (await resolve(id, { note: 'their typo' })).body;
    expect(result).toMatchObject({ disposition: 'restate', external_id: name, catch_up: null, no_gl_effect: false });
    expect(result.regenerated.entry_ids).toHaveLength(1);
    expect(result.regenerated.entry_ids).not.toContain(old?.id);
    expect([await net('1100'), await net('4000')]).toEqual([(before[0] ?? 0) - 150, (before[1] ?? 0) + 150]);
    const after = await event(id);
    expect(after).toMatchObject({
      status: 'fulfilled',
      amount: 550,
      isReconcilingItem: false,
      occurredAt: expect.stringContaining('2026-03-12'),
    });
    expect(after.metadata).toMatchObject({
      reconciliation_history: [{ disposition: 'restate', note: 'their typo', prior_entries: [old?.id] }],
    });
    expect(after.metadata.drift_payload).toBeUndefined();
    const kept = await inStore(
      sql<{
        reason: string;
        content: Loose;
      }>`SELECT reason, content FROM ledger_entry_history WHERE entry_id = ${old?.id}`,
    );
    expect(kept).toMatchObject([{ reason: 'restated', content: { entry: { status: 'posted' } } }]);
    expect(kept[0]?.content.line_items).toHaveLength(2);
    expect((await deliver(invoice(name, 2, 550, '2026-03-12'))).kind).toBe('unchanged');
    await refused(() => resolve(id), 409, 'It was resolved by restate');
  });

  it('of a closed month is caught up with in an open one (ledger L-138, L-141)', async () => {
    const name = nextId();
    const id = await booked(invoice(name, 0, 320_000));
    await deliver(invoice(name, 1, 300_000));
    await months('closed', '2026-03');
    expect((await preview(id)).body.result).toMatchObject({
      default_disposition: 'catch_up',
      closed_periods: ['2026-03'],
      restate_blockers: ['closed period(s): 2026-03'],
      default_posting_date: '2026-04-30',
    });
    await refused(() => resolve(id, { disposition: 'restate' }), 422, 'closed period(s): 2026-03');
    await refused(() => resolve(id, { posting_date: '2026-03-20' }), 422, "closed period '2026-03'");
    const { result } = (await resolve(id)).body;
    expect(result).toMatchObject({
      disposition: 'catch_up',
      regenerated: null,
      catch_up: { posting_date: '2026-04-30', status: 'draft' },
    });
    const lines = await inStore(sql`
      SELECT e.type, e.status, l.element_id, l.debit_amount AS debit, l.credit_amount AS credit FROM ledger_entry e
      JOIN ledger_line_item l ON l.graph_id = e.graph_id AND l.entry_id = e.id WHERE e.id = ${result.catch_up.entry_id} ORDER BY l.line_order`);
    expect(lines).toEqual([
      { type: 'adjusting', status: 'draft', element_id: book.id('1100'), debit: 0, credit: 20_000 },
      { type: 'adjusting', status: 'draft', element_id: book.id('4000'), debit: 20_000, credit: 0 },
    ]);
    const caught = await book.query(
      `{ eventBlock(id: "${result.catch_up.event_id}") { source eventCategory metadata } }`,
    );
    expect(caught['eventBlock']).toMatchObject({
      source: 'system',
      eventCategory: 'adjustment',
      metadata: { publish_to_source: false, reconciles_event_id: id },
    });
    expect(await event(id)).toMatchObject({ amount: 300_000, isReconcilingItem: false });
    await months('open', '2026-03');
  });

  it('that is gone at the provider is caught up with to nothing (ledger L-134)', async () => {
    const name = nextId();
    const id = await booked(invoice(name, 0, 60));
    const before = await net('1100');
    await deliver(delivery(name, 1, '2026-03-10', []));
    const { result } = (await resolve(id, { disposition: 'catch_up', status: 'posted', posting_date: '2026-03-31' }))
      .body;
    expect(result.catch_up).toMatchObject({ status: 'posted', posting_date: '2026-03-31' });
    expect(await net('1100')).toBe(before - 60);
  });

  it('without money in it posts nothing and is resolved all the same (ledger L-137, L-141)', async () => {
    const name = nextId();
    const id = await booked(invoice(name, 0, 60));
    const changed = { ...invoice(name, 1, 60), metadata: { ...invoice(name, 1, 60).metadata, qb_doc_number: '17' } };
    await deliver(changed);
    const entries = await inStore(sql`SELECT id, status FROM ledger_entry ORDER BY id`);
    expect((await preview(id)).body.result).toMatchObject({ no_gl_effect: true, delta: [] });
    expect((await resolve(id, { disposition: 'catch_up' })).body.result).toMatchObject({
      catch_up: null,
      no_gl_effect: true,
    });
    expect(await inStore(sql`SELECT id, status FROM ledger_entry ORDER BY id`)).toEqual(entries);
    expect((await event(id)).metadata).toMatchObject({ qb_doc_number: '17' });
  });

  it('is acknowledged with a note, and nothing is posted (ledger L-142)', async () => {
    const name = nextId();
    const id = await booked(invoice(name, 0, 60));
    await deliver(invoice(name, 1, 50));
    await refused(() => resolve(id, { disposition: 'acknowledge' }), 422, 'note: say how');
    await refused(
      () => resolve(id, { disposition: 'acknowledge', note: 'x', reference_event_id: 'evt_none' }),
      404,
      'evt_none',
    );
    await refused(() => resolve(id, { reference_event_id: id }), 422, 'only for disposition acknowledge');
    const entries = await inStore(sql`SELECT id, status FROM ledger_entry ORDER BY id`);
    const { result } = (await resolve(id, { disposition: 'acknowledge', note: 'by hand', reference_event_id: id }))
      .body;
    expect(result).toMatchObject({
      disposition: 'acknowledge',
      note: 'by hand',
      reference_event_id: id,
      catch_up: null,
      regenerated: null,
    });
    expect(await inStore(sql`SELECT id, status FROM ledger_entry ORDER BY id`)).toEqual(entries);
  });

  it('is not restated over entries that were reversed, nor with accounts that are not mapped (ledger L-139, L-141)', async () => {
    const name = nextId();
    const id = await booked(invoice(name, 0, 60));
    const [old] = await inStore(sql<{ id: string }>`SELECT id FROM ledger_entry WHERE event_id = ${id}`);
    await book.operation('create-event-block', {
      event_type: 'journal_entry_reversed',
      event_category: 'adjustment',
      occurred_at: '2026-03-20T00:00:00Z',
      source: 'manual',
      apply_handlers: true,
      metadata: { entry_id: old?.id, posting_date: '2026-03-20' },
    });
    await deliver(invoice(name, 1, 50));
    const reversed = (await preview(id)).body.result;
    expect(reversed).toMatchObject({
      default_disposition: 'catch_up',
      restate_blockers: expect.arrayContaining([expect.stringContaining('already reversed')]),
    });
    expect(reversed.delta.map((line: Loose) => [line.prior_net, line.delta])).toEqual([
      [0, 50],
      [0, -50],
    ]);
    await refused(() => resolve(id, { disposition: 'restate' }), 422, 'already reversed');
    await resolve(id);
    const other = nextId();
    const second = await booked(invoice(other, 0, 60));
    await deliver(
      delivery(other, 1, '2026-03-10', [
        ['84', 60, 0],
        ['998', 0, 60],
      ]),
    );
    const { result } = (await preview(second)).body;
    expect(result.unmapped_element_external_ids).toEqual(['998']);
    expect(result.delta).toContainEqual(
      expect.objectContaining({ element_id: null, element_external_id: '998', delta: -60 }),
    );
    for (const disposition of ['restate', 'catch_up'])
      await refused(() => resolve(second, { disposition }), 422, '[998]. Map them first.');
    await resolve(second, { disposition: 'acknowledge', note: 'later' });
  });

  it('that was flagged again meanwhile is refused (ledger L-144)', async () => {
    const name = nextId();
    const record = (version: number, cents: number): Delivery => ({
      ...invoice(name, version, cents),
      eventType: 'raced',
      metadata: { cents },
    });
    const id = await booked(record(0, 60));
    await deliver(record(1, 50));
    racing = record(2, 40);
    await refused(() => resolve(id), 409, 're-flagged with a newer payload');
    racing = undefined;
    expect((await resolve(id)).status).toBe(200);
  });

  it('whose entries were reversed meanwhile is refused (ledger L-139, L-150)', async () => {
    const name = nextId();
    const record = (version: number, cents: number): Delivery => ({
      ...invoice(name, version, cents),
      eventType: 'raced',
      metadata: { cents },
    });
    const id = await booked(record(0, 60));
    await deliver(record(1, 50));
    for (const disposition of ['restate', 'catch_up']) {
      meanwhile = sql`UPDATE ledger_entry SET status = 'reversed' WHERE event_id = ${id}`;
      await refused(() => resolve(id, { disposition }), 409, 'is being written by another process');
      expect(meanwhile).toBeUndefined();
    }
    expect((await resolve(id)).status).toBe(200);
  });

  it('is asked about only when there is one (ledger L-137)', async () => {
    const id = await booked(invoice(nextId(), 0, 60));
    for (const ask of [preview, resolve]) {
      await refused(() => ask(id), 409, 'is not a reconciling item — its payload matches the source system.');
      await refused(() => ask('evt_none'), 404, 'Event not found: evt_none');
    }
  });

  it('keeps its month open until it is settled or let pass (ledger 7.3, L-152)', async () => {
    const name = nextId();
    const id = await booked(invoice(name, 0, 60));
    await deliver(invoice(name, 1, 50));
    const close = (more: object = {}) => book.operation('close-period', { period: '2026-03', ...more });
    const blocked = await close();
    expect([blocked.status, blocked.body.details]).toMatchObject([
      422,
      { blockers: ['reconciling_items'], reconciling_item_count: 1, reconciling_item_sample: [name] },
    ]);
    expect((await resolve(id)).status).toBe(200);
    expect((await close()).status).toBe(200);
  });
});

describe('the source of an event', () => {
  it('is a connection of the graph or one of the ledger (ledger L-84, L-34, L-82)', async () => {
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
      "'conn_x' is no connection",
    );
    await refused(
      () => book.operation('create-agent', { agent_type: 'customer', name: 'A', source: 'x' }),
      422,
      "Unknown agent source 'x'",
    );
  });
});
