import type { TestClient, TestService } from '@pacioli/testing';
import { afterAll, beforeAll } from 'vitest';
import type { Books } from './books.ts';
import { openScheduleBooks, startScheduleService, withoutSweep } from './schedule-books.ts';

/** The service of the test file that imports this, on the first of April 2026; no sweep comes in between. */
export let service: TestService;
export let user: TestClient;
/** Sets the books up before the tests of the calling file, and closes their service after them. */
export function useScheduleBooks(): void {
  beforeAll(async () => {
    ({ service, user } = await startScheduleService('2026-04-01T12:00:00Z'));
    await withoutSweep(service);
  }, 120_000);
  afterAll(async () => {
    await service.close();
  });
}

/** Books of a services company that begin with March, unless told otherwise. */
export const open = (template = 'services', given: object = { earliest_data_period: '2026-03' }): Promise<Books> =>
  openScheduleBooks(user, template, given);
