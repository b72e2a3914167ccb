/** @module-tag sessions */
import { sql } from '@pacioli/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Books } from './books.ts';
import {
  createSchedule,
  entries,
  obligations,
  openScheduleBooks,
  type ScheduleService,
  schedule,
  startScheduleService,
} from './schedule-books.ts';

let started: ScheduleService;
beforeAll(async () => {
  started = await startScheduleService('2026-03-31T23:55:00Z');
});
afterAll(async () => {
  await started.service.close();
});

const patience = { timeout: 300_000, interval: 200 };

async function openBooks(): Promise<{ readonly book: Books; readonly id: string }> {
  const book = await openScheduleBooks(started.user, 'services', { earliest_data_period: '2026-03' });
  const { id } = await createSchedule(book, schedule(book, '6300', '1300'));
  return { book, id };
}

describe('obligation sweep', () => {
  it('classifies due obligations, and drafts them only with the autopilot (ledger L-185)', async () => {
    const { book, id } = await openBooks();
    const other = await openBooks();
    await started.service.store.transaction({ graphId: other.book.graph }, async (tx) => {
      expect(await started.use.scheduleSettings.autopilot(tx)).toBe(false);
      await started.use.scheduleSettings.setAutopilot(tx, true);
    });
    started.clock.advance(301_000);
    await expect.poll(() => obligations(other.book, other.id), patience).toEqual({ classified: 1, pending: 11 });
    await expect.poll(() => obligations(book, id), patience).toEqual({ classified: 1, pending: 11 });
    expect(await entries(other.book)).toHaveLength(1);
    expect(await entries(book)).toEqual([]);
    // Obligations that an earlier sweep classified without a draft are drafted once the autopilot is on.
    await started.service.store.transaction({ graphId: book.graph }, (tx) =>
      started.use.scheduleSettings.setAutopilot(tx, true),
    );
    started.clock.advance(301_000);
    await expect.poll(async () => (await entries(book)).length, patience).toBe(1);
    expect(await obligations(book, id)).toEqual({ classified: 1, pending: 11 });
  });

  it('retries obligations that it could not draft (ledger L-185)', async () => {
    const { book, id } = await openBooks();
    const { store } = started.service;
    const scope = { graphId: book.graph };
    const setActive = (isActive: boolean) =>
      store.transaction(scope, (tx) =>
        tx.query(sql`UPDATE taxonomy_element SET is_active = ${isActive} WHERE id = ${book.id('1300')}`),
      );
    await setActive(false);
    await store.transaction(scope, (tx) => started.use.scheduleSettings.setAutopilot(tx, true));
    started.clock.advance(301_000);
    await expect.poll(() => obligations(book, id), patience).toEqual({ classified: 1, pending: 11 });
    expect(await entries(book)).toEqual([]);
    await setActive(true);
    started.clock.advance(301_000);
    await expect.poll(async () => (await entries(book)).length, patience).toBe(1);
  });
});
