import type { TestClient, TestService } from '@pacioli/testing';
import { afterAll, beforeAll } from 'vitest';
import type { Books } from './books.ts';
import { openScheduleBooks, startScheduleService, withoutSweep } from './schedule-books.ts';

/** The service of the importing test file, on April 1, 2026, without the background sweep. */
export let service: TestService;
export let user: TestClient;
/** Sets up the books before the tests of the calling file, and closes their service after them. */
export function useScheduleBooks(): void {
  beforeAll(async () => {
    ({ service, user } = await startScheduleService('2026-04-01T12:00:00Z'));
    await withoutSweep(service);
  }, 120_000);
  afterAll(async () => {
    await service.close();
  });
}

/** Opens books of a services company that begin in March, unless given otherwise. */
export const open = (template = 'services', given: object = { earliest_data_period: '2026-03' }): Promise<Books> =>
  openScheduleBooks(user, template, given);
