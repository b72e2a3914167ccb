import { type FixedClock, TestClient, type TestService } from '@pacioli/testing';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { startScheduleService, withoutSweep } from './schedule-books.ts';

/** The service of the importing test file, on June 15, 2026, without the background sweep. */
export let service: TestService;
export let user: TestClient;
export let clock: FixedClock;
/** Sets up the books before the tests of the calling file, and closes their service after them. */
export function useDisposalBooks(): void {
  beforeAll(async () => {
    const started = await startScheduleService('2026-06-15T12:00:00Z');
    ({ service, clock } = started);
    await withoutSweep(service);
    const { key } = (await started.user.post('/v1/user/api-keys', { name: 'months' })).body;
    // A key outlives the months that the clock skips; a session does not.
    user = new TestClient(service.url, { 'x-api-key': key });
  }, 120_000);
  beforeEach(() => {
    clock.set('2026-06-15T12:00:00Z');
  });
  afterAll(async () => {
    await service.close();
  });
}
