/** @module-tag sessions */
import { sql } from '@pacioli/core';
import { describe, expect, it } from 'vitest';
import type { Delivery } from '../src/index.ts';
import type { LedgerEntry, LedgerEntryHistory } from '../src/rows.gen.ts';
import type { Loose } from './books.ts';
import { isOnServer, skipReason, whileCapacityIsLocked } from './capacity-lock.ts';
import { delivery } from './delivery.ts';
import {
  book,
  booked,
  deliver,
  event,
  everything,
  inStore,
  invoice,
  months,
  net,
  nextId,
  preview,
  race,
  refused,
  resolve,
  service,
  useReconcilingBooks,
} from './reconciling-books.ts';

useReconcilingBooks();

describe('reconciling items', () => {
  it('shows the difference of a reconciling item by account, and the possible dispositions (ledger L-137, L-138)', async () => {
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

  it('restates a reconciling item in place, and keeps the replaced entries in the history (ledger L-140, L-143, L-214)', async () => {
    const name = nextId();
    const id = await booked(invoice(name, 0, 700));
    const [old] = await inStore(sql<Pick<LedgerEntry, 'id'>>`SELECT id FROM ledger_entry WHERE event_id = ${id}`);
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
      sql<
        Pick<LedgerEntryHistory, 'reason'> & { content: Loose }
      >`SELECT reason, content FROM ledger_entry_history WHERE entry_id = ${old?.id}`,
    );
    expect(kept).toMatchObject([{ reason: 'restated', content: { entry: { status: 'posted' } } }]);
    expect(kept[0]?.content.line_items).toHaveLength(2);
    expect((await deliver(invoice(name, 2, 550, '2026-03-12'))).kind).toBe('unchanged');
    await refused(() => resolve(id), 409, 'It was resolved by restate');
  });

  it.runIf(isOnServer())(
    `waits for capacity before it locks the period of a large reconciling item (ledger L-2, L-150)${skipReason()}`,
    {
      timeout: 300_000,
    },
    async () => {
      const large = 10_000_000_000_000;
      const ids = [await booked(invoice(nextId(), 0, large)), await booked(invoice(nextId(), 0, large))];
      const before = await net('1100');
      for (const id of ids) await deliver(invoice((await event(id)).externalId, 1, 2 * large));
      const [first = '', second = ''] = ids;
      const answers = await whileCapacityIsLocked(service.store, book.graph, [
        () => resolve(first, { disposition: 'restate' }),
        () => resolve(second, { disposition: 'catch_up' }),
      ]);
      expect(answers.map(({ status, body }) => [status, body.detail])).toEqual(ids.map(() => [200, undefined]));
      // A catch-up is a draft and changes no balance yet.
      expect(await net('1100')).toBe(before + large);
    },
  );

  it('resolves a reconciling item of a closed month with a catch-up entry in an open month (ledger L-138, L-141)', async () => {
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

  it('posts a catch-up entry to zero for a record that the provider deleted (ledger L-134)', async () => {
    const name = nextId();
    const id = await booked(invoice(name, 0, 60));
    const before = await net('1100');
    await deliver(delivery(name, 1, '2026-03-10', []));
    const { result } = (await resolve(id, { disposition: 'catch_up', status: 'posted', posting_date: '2026-03-31' }))
      .body;
    expect(result.catch_up).toMatchObject({ status: 'posted', posting_date: '2026-03-31' });
    expect(await net('1100')).toBe(before - 60);
  });

  it('resolves a reconciling item with unchanged amounts without an entry (ledger L-137, L-141)', async () => {
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

  it('acknowledges a reconciling item with a note, without an entry (ledger L-142)', async () => {
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

  it('rejects restating a reconciling item whose entries were reversed or whose accounts are unmapped (ledger L-139, L-141)', async () => {
    const name = nextId();
    const id = await booked(invoice(name, 0, 60));
    const [old] = await inStore(sql<Pick<LedgerEntry, 'id'>>`SELECT id FROM ledger_entry WHERE event_id = ${id}`);
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

  it('rejects with a conflict a resolution whose item was flagged again during the request (ledger L-144)', async () => {
    const name = nextId();
    const record = (version: number, cents: number): Delivery => ({
      ...invoice(name, version, cents),
      eventType: 'raced',
      metadata: { cents },
    });
    const id = await booked(record(0, 60));
    await deliver(record(1, 50));
    race.delivery = record(2, 40);
    await refused(() => resolve(id), 409, 're-flagged with a newer payload');
    race.delivery = undefined;
    expect((await resolve(id)).status).toBe(200);
  });

  it('rejects with a conflict a resolution whose entries were reversed during the request (ledger L-139, L-150)', async () => {
    const name = nextId();
    const record = (version: number, cents: number): Delivery => ({
      ...invoice(name, version, cents),
      eventType: 'raced',
      metadata: { cents },
    });
    const id = await booked(record(0, 60));
    await deliver(record(1, 50));
    for (const disposition of ['restate', 'catch_up']) {
      race.change = sql`UPDATE ledger_entry SET status = 'reversed' WHERE event_id = ${id}`;
      await refused(() => resolve(id, { disposition }), 409, 'is being written by another process');
      expect(race.change).toBeUndefined();
    }
    expect((await resolve(id)).status).toBe(200);
  });

  it('rejects previewing or resolving an event that is not a reconciling item (ledger L-137)', async () => {
    const id = await booked(invoice(nextId(), 0, 60));
    for (const ask of [preview, resolve]) {
      await refused(() => ask(id), 409, 'is not a reconciling item — its payload matches the source system.');
      await refused(() => ask('evt_none'), 404, 'Event not found: evt_none');
    }
  });

  it('blocks the close of a month with reconciling items until they are resolved or the gate is overridden (ledger 7.3, L-152)', async () => {
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
