/** @module-tag sessions */
import { sql } from '@pacioli/core';
import { describe, expect, it } from 'vitest';
import type { Loose } from './books.ts';
import { disposal, openWithVan } from './disposal-books.ts';
import { service, useDisposalBooks, user } from './disposal-fixture.ts';
import {
  createSchedule,
  entries,
  entryDue,
  everything,
  legs,
  obligations,
  openScheduleBooks,
  refusal,
  van,
} from './schedule-books.ts';

useDisposalBooks();

const forecast = {
  handler: 'Asset disposal',
  original_amount_cents: 2_700_000,
  accumulated_depreciation_cents: 420_000,
  nbv_cents: 2_280_000,
  sale_proceeds_cents: 2_150_000,
  gain_loss_cents: -130_000,
};

describe('asset_disposed (example 13.2)', () => {
  it('previews the numbers of the disposal and writes nothing (ledger L-188, L-96, L-202)', async () => {
    const { book, id } = await openWithVan(user);
    const before = await everything(book);
    const preview = await book.operation('preview-event-block', disposal(book, id));
    expect(preview.body.result).toMatchObject({ would_succeed: true, handler_metadata: forecast });
    expect(await everything(book)).toEqual(before);
  });

  it('drafts June, then removes the van and its depreciation from the books (ledger L-188)', async () => {
    const { book, id } = await openWithVan(user);
    expect(await obligations(book, id)).toEqual({ classified: 5, pending: 31 });
    const answer = await book.operation('create-event-block', disposal(book, id));
    expect(answer.body.result).toMatchObject({ status: 'fulfilled' });
    const june = (await entries(book)).filter((entry: Loose) => entry.postingDate === '2026-06-30');
    expect(june).toHaveLength(2);
    const sale = june.find((entry: Loose) => entry.memo === 'Van sold');
    expect(sale).toMatchObject({ type: 'closing', status: 'draft', transactionId: null });
    expect(legs(sale)).toEqual([
      ['1590', 4_200, 0],
      ['1520', 0, 27_000],
      ['1000', 21_500, 0],
      ['7200', 1_300, 0],
    ]);
    const depreciation = june.find((entry: Loose) => entry.sourceStructureId === id);
    expect(legs(depreciation)).toEqual([
      ['6900', 700, 0],
      ['1590', 0, 700],
    ]);
    expect(await obligations(book, id)).toEqual({ classified: 6, voided: 30 });
    const { eventBlocks } = await book.query(
      '{ eventBlocks(eventType: "schedule_entry_due", status: "voided", limit: 1000) { replacedByEventId } }',
    );
    const replacements = new Set(eventBlocks.map((event: Loose) => event.replacedByEventId));
    expect([...replacements]).toEqual([answer.body.result.id]);
    const { informationBlock } = await book.query(`{ informationBlock(id: "${id}") { facts { id } rules { id } } }`);
    expect(informationBlock.facts).toHaveLength(110);
    expect(informationBlock.rules).toEqual([]);
  });

  it('disposes of an asset once; the ended schedule cannot be rebuilt, terminated or drafted (ledger L-188, L-189)', async () => {
    const { book, id } = await openWithVan(user);
    await book.operation('create-event-block', disposal(book, id));
    const before = await everything(book);
    const again = await book.operation('create-event-block', disposal(book, id));
    expect(refusal(again)).toEqual([422, expect.stringContaining('already disposed of on 2026-06-30')]);
    const rebuilt = await book.operation('rebuild-schedule', { structure_id: id });
    expect(refusal(rebuilt)).toEqual([422, expect.stringContaining('Create a new schedule')]);
    const end = { structure_id: id, new_end_date: '2026-05-31', reason: 'sold' };
    const terminated = await book.operation('terminate-schedule', end);
    expect(refusal(terminated)).toEqual([422, expect.stringContaining('disposal of its asset on 2026-06-30')]);
    const preview = await book.operation('preview-event-block', entryDue(id, '2026-07-31'));
    expect(preview.body.result.handler_metadata).toMatchObject({ outcome: 'skipped', amount_cents: 0 });
    expect(await everything(book)).toEqual(before);
  });

  it('leaves June without depreciation when the disposal is in the middle of June (ledger L-188)', async () => {
    const { book, id } = await openWithVan(user);
    const preview = await book.operation('preview-event-block', disposal(book, id, {}, '2026-06-15'));
    expect(preview.body.result.handler_metadata).toMatchObject({
      accumulated_depreciation_cents: 350_000,
      nbv_cents: 2_350_000,
      gain_loss_cents: -200_000,
    });
    await book.operation('create-event-block', disposal(book, id, {}, '2026-06-15'));
    expect(await obligations(book, id)).toEqual({ classified: 5, voided: 31 });
    expect(await entries(book)).toHaveLength(6);
  });

  it('removes the drafts of months after the disposal (ledger L-188)', async () => {
    const { book, id } = await openWithVan(user);
    await book.operation('create-event-block', disposal(book, id, {}, '2026-03-31'));
    expect(await obligations(book, id)).toEqual({ classified: 3, voided: 33 });
    expect(await entries(book)).toHaveLength(4);
  });

  it('needs no gain or loss account when the proceeds equal the book value (ledger L-188)', async () => {
    const { book, id } = await openWithVan(user);
    const even = disposal(book, id, { proceeds: 2_280_000, gain_loss_element_id: null });
    expect((await book.operation('create-event-block', even)).status).toBe(200);
    const sale = (await entries(book)).find((entry: Loose) => entry.memo === 'Van sold');
    expect(legs(sale)).toHaveLength(3);
  });

  it('rejects a disposal with missing or unknown references, and changes nothing (ledger L-188)', async () => {
    const { book, id } = await openWithVan(user);
    const { id: plain } = await createSchedule(book, van(book, { name: 'Plain', schedule_metadata: null }));
    const before = await everything(book);
    const cases: readonly (readonly [object, number, string])[] = [
      [{ proceeds: 0, gain_loss_element_id: null }, 422, 'gain_loss_element_id'],
      [{ proceeds_element_id: null }, 422, 'proceeds_element_id'],
      [{ proceeds: -1 }, 422, 'metadata.proceeds'],
      [{ schedule_id: 'struct_none' }, 404, 'Schedule not found: struct_none'],
      [{ schedule_id: plain }, 422, 'names no asset'],
      [{ gain_loss_element_id: 'elem_none' }, 422, 'Element(s) not found: [elem_none]'],
    ];
    for (const [metadata, status, words] of cases) {
      const event = disposal(book, id, metadata);
      const answer = await book.operation('create-event-block', event);
      expect(refusal(answer)).toEqual([status, expect.stringContaining(words)]);
      const preview = await book.operation('preview-event-block', event);
      expect(preview.body.result).toMatchObject({ would_succeed: false, validation_errors: [answer.body.detail] });
    }
    expect(await everything(book)).toEqual(before);
  });

  it('rejects a disposal in a closed month, or before months that have posted (ledger L-151, L-188)', async () => {
    const { book, id } = await openWithVan(user);
    await book.operation('set-close-target', { period: '2026-02' });
    for (const period of ['2026-01', '2026-02']) {
      const closed = await book.operation('close-period', { period });
      expect(closed.status).toBe(200);
    }
    const before = await everything(book);
    const closed = await book.operation('create-event-block', disposal(book, id, {}, '2026-02-28'));
    expect(refusal(closed)).toEqual([422, expect.stringContaining("closed period '2026-02'")]);
    const early = await book.operation('create-event-block', disposal(book, id, {}, '2026-01-31'));
    expect(refusal(early)).toEqual([422, expect.stringContaining('1 posted entries exist')]);
    const end = await book.operation('terminate-schedule', {
      structure_id: id,
      new_end_date: '2026-01-31',
      reason: 'x',
    });
    expect(refusal(end)).toEqual([
      422,
      'Cannot truncate: 1 posted entries exist for periods after 2026-01-31. Reopen those periods first.',
    ]);
    expect(await everything(book)).toEqual(before);
  });
});

describe('schedules with closed months', () => {
  it('rebuilds a schedule with fulfilled months, and keeps its name on posted entries when it is deleted (ledger L-187, L-190)', async () => {
    const { book, id } = await openWithVan(user);
    await book.operation('close-period', { period: '2026-01' });
    expect(await obligations(book, id)).toEqual({ fulfilled: 1, classified: 4, pending: 31 });
    const posted = await book.operation('create-event-block', entryDue(id, '2026-01-31'));
    expect(refusal(posted)).toEqual([422, expect.stringContaining('has already been posted. Use the reopen flow')]);
    const rebuilt = await book.operation('rebuild-schedule', { structure_id: id });
    expect(rebuilt.body.result).toMatchObject({ total_facts: 110, pending_event_count: 31 });
    expect(await obligations(book, id)).toEqual({ fulfilled: 1, classified: 4, pending: 31, voided: 31 });
    const { informationBlock } = await book.query(
      `{ informationBlock(id: "${id}") { artifact { mechanics } facts { factScope } } }`,
    );
    expect(informationBlock.facts.filter((fact: Loose) => fact.factScope === 'historical')).toHaveLength(5);
    const payload = { structure_id: id };
    expect((await book.operation('delete-information-block', { block_type: 'schedule', payload })).status).toBe(200);
    const [entry, ...others] = await entries(book);
    expect(others).toEqual([]);
    expect(entry).toMatchObject({ status: 'posted', postingDate: '2026-01-31', sourceStructureId: id });
    const kept = await service.store.transaction({ graphId: book.graph }, (tx) =>
      tx.query(sql`SELECT metadata FROM ledger_entry WHERE id = ${entry?.id}`),
    );
    expect(kept).toEqual([{ metadata: { schedule_name: 'Van' } }]);
  });
});

describe('close-period with schedules', () => {
  it('requires drafted obligations, evaluates the rules of the schedules, and shows their entries (ledger 7.3, L-158, L-174)', async () => {
    const book = await openScheduleBooks(user, 'product', { earliest_data_period: '2026-01' });
    const { id } = await createSchedule(book, van(book));
    await createSchedule(book, van(book, { name: 'Other', schedule_metadata: null, period_start: '2026-06-01' }));
    const close = (more: object = {}) => book.operation('close-period', { period: '2026-01', ...more });
    const status = `{ periodCloseStatus(periodStart: "2026-01-01", periodEnd: "2026-01-31") {
      schedules { structureId structureName amount status } } }`;
    const pending = await close();
    expect(pending.status).toBe(422);
    expect(pending.body.details).toMatchObject({
      blockers: ['pending_obligations'],
      pending_obligation_count: 1,
      earliest_pending_period: '2026-01',
      pending_obligation_sample: [{ schedule_id: id, schedule_name: 'Van', period: '2026-01' }],
    });
    await book.operation('promote-obligations', { dispatch_handlers: false });
    const stranded = await close();
    expect(stranded.body.details).toMatchObject({ blockers: ['stranded_obligations'], stranded_obligation_count: 1 });
    expect((await book.query(status)).periodCloseStatus.schedules).toMatchObject([
      { structureName: 'Other', amount: 0, status: 'pending' },
      { structureId: id, structureName: 'Van', amount: 700, status: 'pending' },
    ]);
    await book.operation('promote-obligations');
    const closed = await close();
    expect(closed.body.result).toMatchObject({
      entries_posted: 1,
      rule_summary: { pass: 1, fail: 0 },
      evaluated_structure_ids: [id],
    });
    expect((await book.query(status)).periodCloseStatus.schedules[1]).toMatchObject({ amount: 700, status: 'posted' });
    const { informationBlock } = await book.query(`{ informationBlock(id: "${id}") { artifact { mechanics } } }`);
    expect(informationBlock.artifact.mechanics).toMatchObject({ periods_with_entries: 1 });
  });
});
