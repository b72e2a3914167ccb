/** @module-tag sessions */
import { sql } from '@pacioli/core';
import { describe, expect, it } from 'vitest';
import { done, type Loose } from './books.ts';
import { createSchedule, entries, everything, insurance, obligations, refusal, van } from './schedule-books.ts';
import { open, service, useScheduleBooks } from './schedule-fixture.ts';

useScheduleBooks();

describe('create-information-block with a schedule', () => {
  it('creates example 13.1 with 25 facts, a passing rule, an anchor and twelve pending obligations (ledger L-176 to L-182)', async () => {
    const book = await open();
    const block = await createSchedule(book, insurance(book));
    expect(block).toMatchObject({ block_type: 'schedule', name: 'Insurance', taxonomy_name: 'Schedules' });
    expect(block.facts).toHaveLength(25);
    expect(block.rules).toHaveLength(1);
    expect(block.verification_summary).toMatchObject({ total: 1, passed: 1 });
    expect(block.artifact.mechanics).toMatchObject({ kind: 'closing_entry_generator', periods_with_entries: 0 });
    expect(await obligations(book, block.id)).toEqual({ pending: 12 });
    const { eventBlocks: anchors } = await book.query(
      '{ eventBlocks(eventType: "schedule_created") { id status eventClass eventCategory source metadata } }',
    );
    expect(anchors).toHaveLength(1);
    expect(anchors[0]).toMatchObject({
      status: 'committed',
      eventClass: 'operational',
      eventCategory: 'schedule',
      source: 'schedule',
      metadata: { schedule_id: block.id, pending_event_count: 12 },
    });
    const { eventBlocks: due } = await book.query(
      '{ eventBlocks(eventType: "schedule_entry_due", limit: 1) { occurredAt metadata obligatedByEventId amount } }',
    );
    expect(due[0]).toEqual({
      occurredAt: expect.stringMatching(/^2027-02-28T23:59:59/),
      obligatedByEventId: anchors[0].id,
      amount: 30_000,
      metadata: {
        schedule_id: block.id,
        posting_date: '2027-02-28',
        period_start: '2027-02-01',
        period_end: '2027-02-28',
      },
    });
  });

  it('creates example 13.2 with 110 facts, and its taxonomy once (ledger L-179, L-176)', async () => {
    const book = await open('product', { earliest_data_period: '2026-01' });
    const first = await createSchedule(book, van(book));
    expect(first.facts).toHaveLength(110);
    const second = await createSchedule(book, van(book, { name: 'Second van' }));
    expect(second.taxonomy_id).toBe(first.taxonomy_id);
  });

  it('treats closed months as historical, with void obligations (ledger L-180, L-182)', async () => {
    const book = await open('services', { earliest_data_period: '2026-01', closed_through: '2026-02' });
    const block = await createSchedule(book, insurance(book, { period_start: '2026-01-01', period_end: '2026-12-31' }));
    expect(await obligations(book, block.id)).toEqual({ voided: 2, pending: 10 });
    const historical = block.facts.filter((fact: Loose) => fact.fact_scope === 'historical');
    expect(historical).toHaveLength(5);
    // Closed months are historical even when the caller names an earlier month, because nothing could be drafted there.
    const other = await createSchedule(
      book,
      insurance(book, { period_start: '2026-01-01', period_end: '2026-12-31', closed_through: '2026-01-31' }),
    );
    expect(await obligations(book, other.id)).toEqual({ voided: 2, pending: 10 });
    const within = await createSchedule(book, insurance(book, { closed_through: '2026-03-15' }));
    expect(await obligations(book, within.id)).toEqual({ pending: 12 });
  });

  it('rejects history beyond the calendar, which would never be posted, and writes nothing (ledger L-180)', async () => {
    const closed = await open('services', { earliest_data_period: '2026-01', closed_through: '2026-02' });
    const begun = await open('services', { earliest_data_period: '2026-03' });
    const cases: readonly (readonly [typeof closed, string, string])[] = [
      [closed, '2026-05-31', 'which is closed through 2026-02'],
      [closed, '2030-12-31', 'which is closed through 2026-02'],
      [begun, '2026-03-31', 'which begins with 2026-03 and has no closed month'],
    ];
    for (const [book, closedThrough, words] of cases) {
      const before = await everything(book);
      const payload = insurance(book, { closed_through: closedThrough });
      const answer = await book.operation('create-information-block', { block_type: 'schedule', payload });
      expect(refusal(answer)).toEqual([422, expect.stringContaining(words)]);
      expect(await everything(book)).toEqual(before);
    }
    // Months before the start of the books were posted elsewhere.
    const older = await createSchedule(
      begun,
      insurance(begun, { period_start: '2026-01-01', period_end: '2026-12-31', closed_through: '2026-02-28' }),
    );
    expect(await obligations(begun, older.id)).toEqual({ voided: 2, pending: 10 });
  });

  it('rejects an invalid schedule as a whole, and writes nothing (ledger L-176, L-178)', async () => {
    const book = await open();
    const before = await everything(book);
    const cases: readonly (readonly [Loose, number, string])[] = [
      [
        insurance(book, { element_ids: [book.id('6300'), book.id('1300'), 'elem_none'] }),
        422,
        'Element(s) not found: [elem_none]',
      ],
      [insurance(book, { element_ids: [book.id('6300')] }), 422, 'element_ids'],
      [insurance(book, { period_end: '2026-02-28' }), 422, 'period_end'],
      [insurance(book, { monthly_amount: 0 }), 422, 'monthly_amount'],
      [insurance(book, { name: ' ' }), 422, 'name'],
      [insurance(book, { taxonomy_id: 'tax_none' }), 404, 'Taxonomy not found'],
      [insurance(book, { period_start: '2030-01-01', period_end: '2080-12-31' }), 422, 'at most 600'],
      [
        insurance(book, { schedule_metadata: { original_amount: 100, periodic_amounts: [100] } }),
        422,
        '1 amounts are given for 12 months',
      ],
      [insurance(book, { schedule_metadata: { original_amount: 1_000 } }), 422, 'the last month would be'],
    ];
    for (const [payload, status, words] of cases) {
      const answer = await book.operation('create-information-block', { block_type: 'schedule', payload });
      expect(refusal(answer)).toEqual([status, expect.stringContaining(words)]);
    }
    expect(await everything(book)).toEqual(before);
  });
});

describe('changes of a schedule', () => {
  it('rebuilds a schedule with the months that are closed now (ledger L-187)', async () => {
    const book = await open();
    const block = await createSchedule(book, insurance(book));
    await book.operation('promote-obligations');
    const answer = await book.operation('rebuild-schedule', { structure_id: block.id });
    expect(answer.body.result).toMatchObject({
      structure_id: block.id,
      taxonomy_id: block.taxonomy_id,
      total_periods: 12,
      total_facts: 25,
      rule_summary: { pass: 1 },
      pending_event_count: 11,
    });
    expect(await obligations(book, block.id)).toEqual({ classified: 1, pending: 11, voided: 11 });
    expect(await entries(book)).toHaveLength(1);
    const unknown = await book.operation('rebuild-schedule', { structure_id: 'struct_none' });
    expect(refusal(unknown)).toEqual([404, 'Schedule not found: struct_none']);
  });

  it('accepts a new name of a schedule while an account is retired, but rejects a new account (ledger L-186, L-176)', async () => {
    const book = await open();
    const block = await createSchedule(book, insurance(book));
    await done(book, 'update-information-block', { block_type: 'schedule', payload: { structure_id: block.id } });
    await service.store.transaction({ graphId: book.graph }, (tx) =>
      tx.query(sql`UPDATE taxonomy_element SET is_active = false WHERE id = ${book.id('1300')}`),
    );
    const renamed = (payload: object) =>
      book.operation('update-information-block', {
        block_type: 'schedule',
        payload: { structure_id: block.id, ...payload },
      });
    const template = { debit_element_id: book.id('6300'), credit_element_id: book.id('1300') };
    const texts = { name: 'Cover', entry_template: { ...template, memo_template: 'For {structure_name}' } };
    expect((await renamed(texts)).body.result).toMatchObject({ name: 'Cover' });
    const metadata = { original_amount: 360_000, asset_element_id: book.id('1300'), useful_life_months: 12 };
    expect((await renamed({ schedule_metadata: metadata })).status).toBe(200);
    const before = await everything(book);
    const other = { ...template, debit_element_id: book.id('6100') };
    const refused = await renamed({ entry_template: other });
    expect(refused.status).toBe(422);
    expect(await everything(book)).toEqual(before);
  });

  it('terminates a schedule at the end of a month, as in the variant of example 13.2 (ledger L-189)', async () => {
    const book = await open('product', { earliest_data_period: '2026-01' });
    const block = await createSchedule(book, van(book));
    const before = await everything(book);
    const end = (newEndDate: string, reason = 'Sold'): Promise<Loose> =>
      book.operation('terminate-schedule', { structure_id: block.id, new_end_date: newEndDate, reason });
    expect(refusal(await end('2026-06-15'))).toEqual([422, expect.stringContaining('not the last day of a month')]);
    expect(refusal(await end('2025-12-31'))).toEqual([422, expect.stringContaining('earlier than the schedule')]);
    expect(refusal(await end('2029-01-31'))).toEqual([422, expect.stringContaining('already ends earlier')]);
    expect(refusal(await end('2026-06-30', ' '))).toEqual([422, expect.stringContaining('reason')]);
    expect(await everything(book)).toEqual(before);
    const answer = await end('2026-06-30');
    expect(answer.body.result).toEqual({
      structure_id: block.id,
      name: 'Van',
      new_end_date: '2026-06-30',
      facts_deleted: 90,
      obligations_voided: 30,
      rule_updated: true,
      reason: 'Sold',
    });
    expect(await obligations(book, block.id)).toEqual({ pending: 6, voided: 30 });
    const { informationBlock } = await book.query(
      `{ informationBlock(id: "${block.id}") { facts { id } rules { ruleExpression } } }`,
    );
    expect(informationBlock.facts).toHaveLength(20);
    expect(informationBlock.rules[0].ruleExpression).toContain('4200.00');
    const rebuilt = await book.operation('rebuild-schedule', { structure_id: block.id });
    expect(rebuilt.body.result).toMatchObject({ total_periods: 6, total_facts: 20, rule_summary: { pass: 1 } });
  });

  it('deletes a schedule with everything that has not posted (ledger L-190)', async () => {
    const book = await open();
    const block = await createSchedule(book, insurance(book));
    await book.operation('promote-obligations');
    const payload = { structure_id: block.id };
    const answer = await book.operation('delete-information-block', { block_type: 'schedule', payload });
    expect(answer.status).toBe(200);
    expect(await entries(book)).toEqual([]);
    expect(await obligations(book, block.id)).toEqual({ voided: 12 });
    expect(await book.query(`{ informationBlock(id: "${block.id}") { id } }`)).toEqual({ informationBlock: null });
    const again = await book.operation('delete-information-block', { block_type: 'schedule', payload });
    expect([404, 422]).toContain(again.status);
  });

  it('rejects changing or deleting the structure of a schedule with the taxonomy operations (ledger L-190, taxonomy T-31)', async () => {
    const book = await open();
    const block = await createSchedule(book, insurance(book));
    const before = await everything(book);
    const taxonomyId = block.taxonomy_id;
    const updated = await book.operation('update-taxonomy-block', {
      taxonomy_id: taxonomyId,
      structures_to_remove: [block.id],
    });
    expect(refusal(updated)).toEqual([422, expect.stringContaining('delete-information-block')]);
    expect(updated.body.errors).toContainEqual(expect.objectContaining({ code: 'structure_in_use' }));
    const deleted = await book.operation('delete-taxonomy-block', {
      taxonomy_id: taxonomyId,
      reason: 'Gone.',
      cascade_facts: true,
    });
    expect(refusal(deleted)).toEqual([422, expect.stringContaining(`${block.id} is a live block`)]);
    const structuresToUpdate = [{ structure_id: block.id, name: 'Another' }];
    const renamed = await book.operation('update-taxonomy-block', {
      taxonomy_id: taxonomyId,
      structures_to_update: structuresToUpdate,
    });
    expect(refusal(renamed)).toEqual([422, expect.stringContaining('update-information-block')]);
    expect(await everything(book)).toEqual(before);
  });

  it('updates the taxonomy of a schedule without changing the schedule (ledger L-190, taxonomy T-31)', async () => {
    const book = await open();
    const block = await createSchedule(book, insurance(book));
    // Two blocks may have the same name, and their arcs join accounts of the chart.
    await createSchedule(book, insurance(book));
    const before = await everything(book);
    const change = {
      taxonomy_id: block.taxonomy_id,
      name: 'Working papers',
      structures_to_add: [{ name: 'Insurance', block_type: 'custom' }],
    };
    const changed = await book.operation('update-taxonomy-block', change);
    expect(changed.body).toMatchObject({ result: { name: 'Working papers' } });
    expect(await everything(book)).toEqual(before);
  });

  it('rejects a schedule in a taxonomy that accepts none, and leaves the chart unchanged (ledger L-176, taxonomy 1.6)', async () => {
    const book = await open();
    const before = await everything(book);
    const { taxonomies } = await book.query('{ taxonomies(taxonomyType: "chart_of_accounts") { taxonomies { id } } }');
    const taxonomyId = taxonomies.taxonomies[0].id;
    for (const blockType of ['schedule', 'rollforward']) {
      const payload =
        blockType === 'schedule'
          ? insurance(book, { taxonomy_id: taxonomyId })
          : { name: 'Equipment', bs_source_qname: 'coa:1510', taxonomy_id: taxonomyId };
      const answer = await book.operation('create-information-block', { block_type: blockType, payload });
      expect(refusal(answer)).toEqual([422, expect.stringContaining('Omit taxonomy_id')]);
    }
    expect(await everything(book)).toEqual(before);
  });
});
