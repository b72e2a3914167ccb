import { inspect } from 'node:util';
import type { Log } from '@pacioli/core';
import { fixedClock, linkToken, mailbox, startTestService, type TestService } from '@pacioli/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

// Goal: no secret that gives access to an account is written to logs, audit rows or tables.
// Method: run every flow once, including failures, collect each secret, and search for it everywhere.

const password = 'Harbour-Lantern-42';
const secrets = new Map<string, string>([
  ['password', password],
  ['wrong password', 'Harbour-Lantern-43'],
  ['new password', 'Copper-Meadow-77'],
  ['second new password', 'Garden-Window-31'],
]);
const lines: string[] = [];
const clock = fixedClock('2026-03-02T09:00:00Z');
const inner = mailbox();
let failures = 1;
/** Refuses its first message, so that a failed delivery is logged. */
const mail = {
  ...inner,
  send: async (...given: Parameters<typeof inner.send>) => {
    failures -= 1;
    if (failures >= 0) throw new Error('The mail server is busy.');
    await inner.send(...given);
  },
};
let service: TestService;

const log: Log = (() => {
  const keep =
    (level: string) =>
    (message: string, fields: object = {}): void => {
      lines.push(`${level} ${message} ${inspect(fields, { depth: 10 })} ${JSON.stringify(fields)}`);
    };
  return { debug: keep('debug'), info: keep('info'), warn: keep('warn'), error: keep('error') };
})();

function secret(name: string, value: unknown): string {
  if (typeof value !== 'string' || value.length < 20) throw new Error(`There is no ${name}: ${inspect(value)}`);
  secrets.set(name, value);
  return value;
}

function failedDeliveries() {
  return service.store.transaction('kernel', (tx) =>
    tx.query(sql`SELECT id FROM kernel_outbox WHERE last_error IS NOT NULL`),
  );
}

beforeAll(async () => {
  const settings = { bridge: { apps: ['ledger=https://ledger.example.org'] } };
  service = await startTestService({ plugins: [], clock, mail, log, settings });
  const open = service.anonymous;
  const withToken = (token: string) => open.withHeaders({ authorization: `Bearer ${token}` });
  const email = 'ada@example.org';
  const registered = await open.post('/v1/auth/register', { name: 'Ada', email, password });
  const first = withToken(secret('session token', registered.body.token));
  // The failed message is retried when it is due.
  await vi.waitFor(async () => expect(await failedDeliveries()).toHaveLength(1), { timeout: 300_000 });
  clock.advance(60_000);
  const verification = secret('verification token', linkToken(await inner.next(email)));
  secret('second session token', (await open.post('/v1/auth/email/verify', { token: verification })).body.token);
  await open.post('/v1/auth/email/verify', { token: verification });
  await open.post('/v1/auth/login', { email, password: 'Harbour-Lantern-43' });
  const renewed = await first.post('/v1/auth/refresh');
  const second = withToken(secret('renewed token', renewed.body.token));
  const key = secret('API key', (await second.post('/v1/user/api-keys', { name: 'books' })).body.key);
  await open.withHeaders({ 'x-api-key': key }).get('/v1/user');
  await open.withHeaders({ 'x-api-key': `${key.slice(0, -1)}x` }).get('/v1/user');
  const bridged = secret('bridge token', (await second.post('/v1/auth/sso-token')).body.token);
  await withToken(bridged).get('/v1/auth/me');
  const exchanged = await open.post('/v1/auth/sso-exchange', { token: bridged, target_app: 'ledger' });
  const handover = secret('handover', exchanged.body.session_id);
  secret('bridged session', (await open.post('/v1/auth/sso-complete', { session_id: handover })).body.token);
  await second.put('/v1/user', { email: 'ada2@example.org', reauth_password: 'Harbour-Lantern-43' });
  await open.post('/v1/auth/password/forgot', { email });
  const reset = secret('reset token', linkToken(await inner.next(email)));
  await open.get(`/v1/auth/password/reset/validate?token=${reset}`);
  await open.post('/v1/auth/password/reset', { token: `${reset}x`, new_password: 'Copper-Meadow-77' });
  const done = await open.post('/v1/auth/password/reset', { token: reset, new_password: 'Copper-Meadow-77' });
  const third = withToken(secret('session token after the reset', done.body.token));
  await third.put('/v1/user/password', {
    current_password: 'Copper-Meadow-77',
    new_password: 'Garden-Window-31',
    confirm_password: 'Garden-Window-31',
  });
  const login = await open.post('/v1/auth/login', { email, password: 'Garden-Window-31' });
  const last = withToken(secret('last session token', login.body.token));
  await last.put('/v1/user', { email: 'ada2@example.org', reauth_password: 'Garden-Window-31' });
  secret('second verification token', linkToken(await inner.next('ada2@example.org')));
  await last.post('/v1/auth/logout');
});
afterAll(() => service.close());

/** Lists the names of the secrets that a text contains. */
function leaks(text: string): string[] {
  return [...secrets].filter(([, value]) => text.includes(value)).map(([name]) => name);
}

describe('passwords, tokens and keys', () => {
  it('never appear in a log line (platform E-16)', () => {
    expect(secrets.size).toBe(16);
    expect(lines.length).toBeGreaterThan(0);
    expect(leaks(lines.join('\n'))).toEqual([]);
    expect(leaks(`a line with ${password}`)).toEqual(['password']);
  });

  it('appear in no table, including audit rows and queued mails (platform P-30, section 19)', async () => {
    const names = await service.store.transaction('kernel', (tx) =>
      tx.query<{ name: string }>(sql`
        SELECT table_name AS name FROM information_schema.tables
        WHERE table_schema = current_schema() AND table_name LIKE 'kernel%' ORDER BY 1`),
    );
    expect(names.map(({ name }) => name)).toContain('kernel_security_audit');
    const found: string[] = [];
    for (const { name } of names) {
      const rows = await service.store.transaction('kernel', (tx) => tx.query(sql`SELECT * FROM ${sql.table(name)}`));
      found.push(...leaks(JSON.stringify(rows)).map((leak) => `${leak} in ${name}`));
    }
    expect(found).toEqual([]);
  });
});
