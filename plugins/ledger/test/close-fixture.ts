import type { FixedClock, TestClient, TestService } from '@pacioli/testing';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { type OtherPlugins, resetOtherPlugins, startCloseService } from './close-books.ts';

/** The service of the importing test file, with its set-up and teardown; nothing blocks a close. */
export let service: TestService;
export let user: TestClient;
export let clock: FixedClock;
export let otherPlugins: OtherPlugins;
/** Sets up the books before the tests of the calling file, and closes their service after them. */
export function useCloseBooks(): void {
  beforeAll(async () => {
    ({ service, user, clock, otherPlugins } = await startCloseService());
  });
  beforeEach(() => {
    resetOtherPlugins(otherPlugins);
    clock.set('2026-04-01T12:00:00Z');
  });
  afterAll(async () => {
    await service.close();
  });
}
