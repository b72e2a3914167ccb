/** @module-tag sessions */
import { fixedClock, mailbox, startTestService, type TestService } from '@pacioli/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

const clock = fixedClock('2026-03-02T09:00:00Z');
let service: TestService;

beforeAll(async () => {
  service = await startTestService({ plugins: [], clock, mail: mailbox() });
});
afterAll(() => service.close());

async function left(): Promise<object> {
  const [row] = await service.store.transaction('kernel', (tx) =>
    tx.query<object>(sql`
      SELECT (SELECT count(*) FROM kernel_user_token) AS links,
        (SELECT count(*) FROM kernel_short_lived WHERE kind <> 'worker-heartbeat') AS short_lived,
        (SELECT count(*) FROM kernel_revoked_session) AS revoked`),
  );
  return row ?? {};
}

describe('remove-expired', () => {
  it('removes expired links, short-lived secrets and sessions, and nothing else', async () => {
    const client = await service.newUser();
    await client.post('/v1/auth/email/resend');
    await client.post('/v1/auth/logout');
    expect(await left()).toEqual({ links: 1, short_lived: 1, revoked: 1 });
    clock.advance(12 * 3_600_000);
    await vi.waitFor(async () => expect(await left()).toEqual({ links: 1, short_lived: 0, revoked: 0 }), 300_000);
    clock.advance(12 * 3_600_000);
    await vi.waitFor(async () => expect(await left()).toEqual({ links: 0, short_lived: 0, revoked: 0 }), 300_000);
  });
});
