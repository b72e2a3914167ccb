/**
 * Writes fifty thousand facts.
 * @module-tag full-run
 */
import type { TestClient, TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSchedule, openScheduleBooks, startScheduleService, van } from './schedule-books.ts';

let service: TestService;
let user: TestClient;
beforeAll(async () => {
  ({ service, user } = await startScheduleService('2026-04-01T12:00:00Z'));
});
afterAll(async () => {
  await service.close();
});

/** Enough schedules of 1,802 facts for more than 50,000 in all. */
const schedules = 28;

describe('schedules of 600 months', () => {
  it('returns schedules of 600 months one by one, and as a page with more facts than one read fetches (ledger L-176, L-179, reporting B-17)', {
    timeout: 600_000,
  }, async () => {
    const book = await openScheduleBooks(user, 'product', { earliest_data_period: '2026-01' });
    for (let index = 0; index < schedules; index += 1) {
      const longest = { name: `Van ${index}`, period_start: '2026-01-01', period_end: '2075-12-31', monthly_amount: 1 };
      const scheduleMetadata = { original_amount: 600, asset_element_id: book.id('1520') };
      const block = await createSchedule(book, van(book, { ...longest, schedule_metadata: scheduleMetadata }));
      if (index > 0) continue;
      const { informationBlock } = await book.query(
        `{ informationBlock(id: "${block.id}") { facts { id } verificationSummary { passed } } }`,
      );
      expect(informationBlock.facts).toHaveLength(1_802);
      expect(informationBlock.verificationSummary).toEqual({ passed: 1 });
    }
    const { informationBlocks: page } = await book.query(
      '{ informationBlocks(blockType: "schedule", limit: 200) { id facts { id factSetId } factSet { id } } }',
    );
    expect(page).toHaveLength(schedules);
    for (const block of page) {
      expect(block.facts).toHaveLength(1_802);
      expect(new Set(block.facts.map((fact: { factSetId: string }) => fact.factSetId))).toEqual(
        new Set([block.factSet.id]),
      );
    }
  });
});
