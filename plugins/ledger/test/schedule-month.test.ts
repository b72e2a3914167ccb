/** @module-tag sessions */
import { sql } from '@pacioli/core';
import type { TestClient, TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Books, Loose } from './books.ts';
import { createSchedule, openScheduleBooks, schedule, startScheduleService } from './schedule-books.ts';

let service: TestService;
let user: TestClient;
beforeAll(async () => {
  ({ service, user } = await startScheduleService('2026-04-01T12:00:00Z'));
});
afterAll(async () => {
  await service.close();
});

const open = (): Promise<Books> => openScheduleBooks(user, 'services', { earliest_data_period: '2026-03' });
const short = (book: Books, more: object = {}): Loose =>
  schedule(book, '6300', '1300', {
    period_end: '2026-04-30',
    schedule_metadata: { original_amount: 60_000, asset_element_id: book.id('1300') },
    ...more,
  });

describe('months with many schedules', () => {
  it('closes a month with the rules of more schedules than one batch evaluates (ledger L-158)', async () => {
    const book = await open();
    const ids: string[] = [];
    for (let index = 0; index < 30; index += 1)
      ids.push((await createSchedule(book, short(book, { name: `Schedule ${index}` }))).id);
    await book.operation('promote-obligations');
    const closed = await book.operation('close-period', { period: '2026-03' });
    expect(closed.body.result).toMatchObject({
      entries_posted: 30,
      rule_summary: { pass: 30, fail: 0, error: 0, skipped: 0 },
      evaluated_structure_ids: ids.toSorted(),
    });
  });

  it('counts all schedules of a month, and rejects a read with too many rather than truncating it (ledger L-174)', async () => {
    const book = await open();
    const { id } = await createSchedule(book, short(book));
    const copy = (from: number, to: number) =>
      service.store.transaction({ graphId: book.graph }, (tx) =>
        tx.query(sql`
          INSERT INTO ledger_schedule (graph_id, structure_id, taxonomy_id, name, currency, definition, anchor_event_id, created_at, created_by, updated_at)
          SELECT graph_id, 'struct_copy_' || n, taxonomy_id, name || n, currency, definition, anchor_event_id, created_at, created_by, updated_at
          FROM ledger_schedule, generate_series(${from}::integer, ${to}::integer) AS n WHERE structure_id = ${id}`),
      );
    const status =
      '{ periodCloseStatus(periodStart: "2026-03-01", periodEnd: "2026-03-31") { schedules { structureId } } }';
    await copy(1, 1_000);
    expect((await book.query(status)).periodCloseStatus.schedules).toHaveLength(1_001);
    await copy(1_001, 10_000);
    await expect(book.query(status)).rejects.toThrow('more than 10000 schedules');
  });
});

describe('months that were closed despite stranded obligations', () => {
  it('skips stranded obligations of a closed month in later runs until it is reopened (ledger L-151, L-185)', async () => {
    const book = await open();
    await createSchedule(book, short(book));
    await book.operation('promote-obligations', { dispatch_handlers: false });
    const closed = await book.operation('close-period', { period: '2026-03', allow_stranded_obligations: true });
    expect(closed.status).toBe(200);
    const later = await book.operation('promote-obligations');
    expect(later.body.result).toMatchObject({
      classified_count: 0,
      stranded_count: 0,
      dispatched_count: 0,
      error_count: 0,
    });
    await book.operation('reopen-period', { period: '2026-03', reason: 'Forgotten drafts' });
    const reopened = await book.operation('promote-obligations');
    expect(reopened.body.result).toMatchObject({ stranded_count: 1, dispatched_count: 1, error_count: 0 });
  });
});
