import { sql } from '@pacioli/core';
import { describe, expect, it } from 'vitest';
import {
  blockers,
  createSchedule,
  entries,
  everything,
  insurance,
  legs,
  obligations,
  refusal,
  schedule,
} from './schedule-books.ts';
import { open, service, useScheduleBooks } from './schedule-fixture.ts';

useScheduleBooks();

describe('promote-obligations', () => {
  it('drafts due obligations and no future ones, and finds nothing in a second run (ledger L-185, L-183)', async () => {
    const book = await open();
    const block = await createSchedule(book, insurance(book));
    expect(await blockers(book)).toEqual(['pending_obligations']);
    const first = await book.operation('promote-obligations');
    expect(await blockers(book)).toEqual([]);
    expect(first.body.result).toMatchObject({
      classified_count: 1,
      dispatched_count: 1,
      error_count: 0,
      stranded_count: 0,
    });
    const [entry, ...others] = await entries(book);
    expect(others).toEqual([]);
    expect(entry).toMatchObject({
      type: 'closing',
      status: 'draft',
      postingDate: '2026-03-31',
      memo: 'Monthly schedule - Insurance',
      provenance: 'schedule_derived',
      transactionId: null,
      sourceStructureId: block.id,
    });
    expect(legs(entry)).toEqual([
      ['6300', 300, 0],
      ['1300', 0, 300],
    ]);
    expect(await obligations(book, block.id)).toEqual({ classified: 1, pending: 11 });
    const again = await book.operation('promote-obligations');
    expect(again.body.result).toMatchObject({
      classified_count: 0,
      dispatched_count: 0,
      error_count: 0,
      stranded_count: 0,
    });
    expect(await entries(book)).toHaveLength(1);
  });

  it('leaves obligations stranded without dispatch_handlers, and the next run drafts them (ledger L-185)', async () => {
    const book = await open();
    await createSchedule(book, insurance(book));
    const flipped = await book.operation('promote-obligations', { dispatch_handlers: false });
    expect(flipped.body.result).toMatchObject({ classified_count: 1, dispatched_count: 0 });
    expect(await entries(book)).toEqual([]);
    expect(await blockers(book)).toEqual(['stranded_obligations']);
    const drafted = await book.operation('promote-obligations');
    expect(drafted.body.result).toMatchObject({ classified_count: 0, stranded_count: 1, dispatched_count: 1 });
    expect(await entries(book)).toHaveLength(1);
  });

  it('continues after an obligation that it cannot draft, and reports the reason (ledger L-185)', async () => {
    const book = await open();
    const bad = await createSchedule(book, insurance(book, { name: 'Bad' }));
    const good = await createSchedule(book, schedule(book, '6100', '2100', { name: 'Good' }));
    const retired = await service.store.transaction({ graphId: book.graph }, (tx) =>
      tx.query(sql`UPDATE taxonomy_element SET is_active = false WHERE id = ${book.id('1300')} RETURNING id`),
    );
    expect(retired).toHaveLength(1);
    const answer = await book.operation('promote-obligations');
    expect(answer.body.result).toMatchObject({ classified_count: 2, dispatched_count: 1, error_count: 1 });
    expect(answer.body.result.errors[0].error).toContain('is retired');
    expect(await obligations(book, bad.id)).toEqual({ classified: 1, pending: 11 });
    const [entry, ...others] = await entries(book);
    expect([entry?.sourceStructureId, others]).toEqual([good.id, []]);
  });

  it('drafts hundreds of obligations in one run (ledger L-185)', async () => {
    const book = await open('services', { earliest_data_period: '2016-01' });
    const long = { period_start: '2016-04-01', period_end: '2036-03-31', schedule_metadata: null };
    await createSchedule(book, insurance(book, { ...long, name: 'One' }));
    await createSchedule(book, insurance(book, { ...long, name: 'Two' }));
    const answer = await book.operation('promote-obligations');
    expect(answer.body.result).toMatchObject({ classified_count: 240, dispatched_count: 240, error_count: 0 });
  });
});

describe('schedule_entry_due', () => {
  const due = (id: string, more: object = {}): object => ({
    event_type: 'schedule_entry_due',
    event_category: 'recognition',
    source: 'schedule',
    occurred_at: '2026-03-31T00:00:00Z',
    apply_handlers: true,
    metadata: { schedule_id: id, posting_date: '2026-03-31', period_start: '2026-03-01', period_end: '2026-03-31' },
    ...more,
  });

  it('classifies the obligation of the month of schedule_entry_due and links the event to it (ledger L-114)', async () => {
    const book = await open();
    const block = await createSchedule(book, insurance(book));
    const preview = await book.operation('preview-event-block', due(block.id));
    expect(preview.body.result).toMatchObject({
      would_succeed: true,
      handler_metadata: { handler: 'Schedule entry', outcome: 'created', amount_cents: 30_000 },
    });
    expect(await entries(book)).toEqual([]);
    const answer = await book.operation('create-event-block', due(block.id));
    expect(answer.status).toBe(200);
    expect(answer.body.result).toMatchObject({
      status: 'classified',
      obligated_by_event_id: expect.stringMatching(/^evt_/),
    });
    expect(await obligations(book, block.id)).toEqual({ classified: 2, pending: 11 });
    expect(await entries(book)).toHaveLength(1);
    const again = await book.operation('preview-event-block', due(block.id));
    expect(again.body.result.handler_metadata).toMatchObject({ outcome: 'unchanged' });
    const promoted = await book.operation('promote-obligations');
    expect(promoted.body.result).toMatchObject({ classified_count: 0, dispatched_count: 0, stranded_count: 0 });
  });

  it('follows a changed template, and skips a month outside the schedule (ledger L-183, L-186)', async () => {
    const book = await open();
    const block = await createSchedule(book, insurance(book));
    await book.operation('promote-obligations');
    const entryTemplate = {
      debit_element_id: book.id('6300'),
      credit_element_id: book.id('1300'),
      memo_template: 'For {structure_name}',
    };
    const payload = { structure_id: block.id, entry_template: entryTemplate };
    expect((await book.operation('update-information-block', { block_type: 'schedule', payload })).status).toBe(200);
    expect((await entries(book))[0]).toMatchObject({ memo: 'Monthly schedule - Insurance' });
    expect(await obligations(book, block.id)).toEqual({ classified: 1, pending: 11, voided: 11 });
    expect((await book.operation('create-event-block', due(block.id))).status).toBe(200);
    const [entry, ...others] = await entries(book);
    expect([entry?.memo, others]).toEqual(['For Insurance', []]);
    const outside = {
      metadata: { schedule_id: block.id, posting_date: '2028-03-31', period_end: '2028-03-31' },
    };
    const skipped = await book.operation('preview-event-block', due(block.id, outside));
    expect(skipped.body.result).toMatchObject({ would_succeed: true, handler_metadata: { outcome: 'skipped' } });
  });

  it('leaves nothing that blocks the close when schedule_entry_due is repeated or outside the schedule (ledger L-183)', async () => {
    const book = await open();
    const block = await createSchedule(book, insurance(book));
    expect((await book.operation('create-event-block', due(block.id))).body.result.status).toBe('classified');
    const again = await book.operation('create-event-block', due(block.id));
    expect(again.body.result).toMatchObject({ status: 'voided', metadata: { void_reason: 'unchanged' } });
    const outside = { schedule_id: block.id, posting_date: '2026-02-28' };
    const skipped = await book.operation('create-event-block', due(block.id, { metadata: outside }));
    expect(skipped.body.result).toMatchObject({
      status: 'voided',
      metadata: { void_reason: 'no_amount', period_start: '2026-02-01', period_end: '2026-02-28' },
    });
    const kept = await book.operation(
      'create-event-block',
      due(block.id, { metadata: outside, apply_handlers: false }),
    );
    const move = { event_id: kept.body.result.id, transition_to: 'committed' };
    expect((await book.operation('update-event-block', move)).body.result).toMatchObject({
      status: 'committed',
      metadata: { dispatch_note: 'nothing_due' },
    });
    expect(await blockers(book)).toEqual([]);
    expect(await entries(book)).toHaveLength(1);
    expect((await book.operation('close-period', { period: '2026-03' })).status).toBe(200);
  });

  it('shares one entry between all obligations of a month, and voids those outside the schedule (ledger L-183, L-185)', async () => {
    const book = await open();
    const block = await createSchedule(book, insurance(book));
    for (const day of ['2026-03-31', '2026-03-31', '2026-02-28']) {
      const metadata = { schedule_id: block.id, posting_date: day, period_end: day };
      const stray = await book.operation('create-event-block', due(block.id, { metadata, apply_handlers: false }));
      const move = { event_id: stray.body.result.id, transition_to: 'classified' };
      expect((await book.operation('update-event-block', move)).status).toBe(200);
    }
    expect(await blockers(book)).toEqual(['pending_obligations', 'stranded_obligations']);
    expect((await book.operation('promote-obligations')).body.result).toMatchObject({ error_count: 0 });
    expect(await entries(book)).toHaveLength(1);
    expect(await blockers(book)).toEqual([]);
    expect(await obligations(book, block.id)).toEqual({ classified: 3, pending: 11, voided: 1 });
  });

  it('rejects schedule_entry_due without a schedule, for an unknown one or across months, and changes nothing (ledger L-183)', async () => {
    const book = await open();
    const block = await createSchedule(book, insurance(book));
    const before = await everything(book);
    const cases: readonly (readonly [object, number, string])[] = [
      [{ period_end: '2026-03-31' }, 422, 'metadata.schedule_id'],
      [{ schedule_id: 'struct_none', period_end: '2026-03-31' }, 404, 'Schedule not found: struct_none'],
      [{ schedule_id: block.id }, 422, 'metadata.period_end'],
      [{ schedule_id: block.id, period_start: '2026-03-01', period_end: '2026-04-30' }, 422, 'one month'],
    ];
    for (const [metadata, status, words] of cases) {
      const answer = await book.operation('create-event-block', due(block.id, { metadata }));
      expect(refusal(answer)).toEqual([status, expect.stringContaining(words)]);
    }
    expect(await everything(book)).toEqual(before);
  });
});
