import { type FixedClock, TestClient, type TestService } from '@pacioli/testing';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { startScheduleService, withoutSweep } from './schedule-books.ts';

/** The service of the test file that imports this, in the middle of June 2026; no sweep comes in between. */
export let service: TestService;
export let user: TestClient;
export let clock: FixedClock;
/** Sets the books up before the tests of the calling file, and closes their service after them. */
export function useDisposalBooks(): void {
  beforeAll(async () => {
    const started = await startScheduleService('2026-06-15T12:00:00Z');
    ({ service, clock } = started);
    await withoutSweep(service);
    const { key } = (await started.user.post('/v1/user/api-keys', { name: 'months' })).body;
    // A key outlives the months that the clock goes through; a session does not.
    user = new TestClient(service.url, { 'x-api-key': key });
  }, 120_000);
  beforeEach(() => {
    clock.set('2026-06-15T12:00:00Z');
  });
  afterAll(async () => {
    await service.close();
  });
}
