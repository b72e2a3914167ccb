/** @module-tag sessions */
import { fixedClock, startTestService, type TestService } from '@pacioli/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ServiceError } from '../../errors/service-error.ts';
import { type BruteForce, bruteForce } from './brute-force.ts';

const password = 'Harbour-Lantern-42';
const clock = fixedClock('2026-03-02T09:00:00Z');
let service: TestService;
let guard: BruteForce;
let counter = 0;

beforeAll(async () => {
  // Rate limits are off: they would refuse requests before the brute-force guard does.
  const settings = { rateLimits: { enabled: false, profile: 'standard' } } as const;
  service = await startTestService({ plugins: [], clock, worker: false, settings });
  guard = service.service.services.resolve(bruteForce);
});
afterAll(() => service.close());

/** A client and address without earlier attempts. */
function stranger() {
  counter += 1;
  return { ip: `192.0.2.${counter}`, email: `guessed${counter}@example.org` };
}

/** Returns the refusal of the next attempt, or undefined if it is allowed. */
function refusal(attempt: { ip?: string; email?: string }): Promise<ServiceError | undefined> {
  return guard.check(attempt).then(
    () => undefined,
    (error: ServiceError) => error,
  );
}

async function failTimes(attempt: { ip?: string; email?: string }, times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) await guard.failed(attempt);
}

describe('the delay after a failure', () => {
  it.each([
    [1, 1],
    [2, 2],
    [3, 5],
    [4, 10],
  ])('after failure %i lasts %i seconds and not longer (platform A-20)', async (failures, seconds) => {
    const attempt = stranger();
    await failTimes(attempt, failures);
    const early = await refusal(attempt);
    expect(early?.message).toBe(`Please wait ${seconds} seconds before trying again.`);
    expect([early?.kind, early?.code]).toEqual(['rate_limited', 'TOO_MANY_ATTEMPTS']);
    expect(early?.headers).toEqual({ 'Retry-After': `${seconds}` });
    clock.advance(seconds * 1000 - 1);
    expect((await refusal(attempt))?.headers).toEqual({ 'Retry-After': '1' });
    clock.advance(1);
    expect(await refusal(attempt)).toBeUndefined();
  });

  it('ends with a success, which removes one failure (platform A-20)', async () => {
    const attempt = stranger();
    await failTimes(attempt, 4);
    await guard.succeeded(attempt);
    expect(await refusal(attempt)).toBeUndefined();
    await guard.failed(attempt);
    expect((await refusal(attempt))?.headers['Retry-After']).toBe('10');
  });
});

describe('a block', () => {
  it.each([
    [5, 900, 'medium', '15 minutes'],
    [10, 3_600, 'high', '60 minutes'],
    [20, 86_400, 'critical', '24 hours'],
  ])('starts at failure %i and lasts %i seconds (platform A-20)', async (failures, seconds, level, wait) => {
    const attempt = stranger();
    await failTimes(attempt, failures - 1);
    expect((await refusal(attempt))?.headers['Retry-After']).not.toBe(`${seconds}`);
    await guard.failed(attempt);
    const blocked = await refusal(attempt);
    expect(blocked?.message).toBe(`Too many failed attempts. Try again in ${wait}.`);
    expect(blocked?.headers).toEqual({
      'Retry-After': `${seconds}`,
      'X-Auth-Threat-Level': level,
      'X-Auth-Blocked': 'true',
      'X-Auth-Block-Expires': `${seconds}`,
    });
    clock.advance(seconds * 1000);
    expect(await refusal(attempt)).toBeUndefined();
  });

  it('writes a security audit row with its level (platform P-30, A-20)', async () => {
    const attempt = stranger();
    await failTimes(attempt, 5);
    const rows = await service.store.transaction('kernel', (tx) =>
      tx.query(sql`SELECT event_type, risk, details FROM kernel_security_audit WHERE ip = ${attempt.ip} ORDER BY id`),
    );
    const reason = { reason: 'too_many_failures', failures: 5 };
    expect(rows).toEqual([
      { event_type: 'suspicious_activity', risk: 'medium', details: { ...reason, counted_by: 'failures-by-ip' } },
      { event_type: 'suspicious_activity', risk: 'medium', details: { ...reason, counted_by: 'failures-by-email' } },
    ]);
  });

  it('starts again with the next failure after it has ended (platform A-20)', async () => {
    const attempt = stranger();
    await failTimes(attempt, 5);
    clock.advance(900_000);
    expect(await refusal(attempt)).toBeUndefined();
    await guard.failed(attempt);
    expect((await refusal(attempt))?.headers['X-Auth-Blocked']).toBe('true');
  });

  it('applies to the client and to the address separately (platform A-20)', async () => {
    const [attempt, other] = [stranger(), stranger()];
    await failTimes(attempt, 5);
    expect(await refusal({ ip: other.ip, email: attempt.email.toUpperCase() })).toBeDefined();
    expect(await refusal({ ip: attempt.ip, email: other.email })).toBeDefined();
    expect(await refusal(other)).toBeUndefined();
  });

  it('counts every one of several concurrent failures (platform A-20)', async () => {
    const attempt = stranger();
    await Promise.all(Array.from({ length: 10 }, () => guard.failed(attempt)));
    expect((await refusal(attempt))?.headers['X-Auth-Threat-Level']).toBe('high');
  });

  it('is forgotten one day after it ends (platform A-20)', async () => {
    const attempt = stranger();
    await failTimes(attempt, 5);
    clock.advance(900_000 + 86_400_000);
    await guard.failed(attempt);
    expect((await refusal(attempt))?.headers['Retry-After']).toBe('1');
  });
});

describe('login', () => {
  it('is refused during a block even with the right password, and works afterwards (platform A-20)', async () => {
    const email = 'mika@example.org';
    const { anonymous } = service;
    expect((await anonymous.post('/v1/auth/register', { name: 'Mika', email, password })).status).toBe(201);
    for (const seconds of [1, 2, 5, 10]) {
      const wrong = await anonymous.post('/v1/auth/login', { email, password: 'Harbour-Lantern-43' });
      expect(wrong.status).toBe(401);
      const early = await anonymous.post('/v1/auth/login', { email, password });
      expect([early.status, early.headers.get('retry-after')]).toEqual([429, `${seconds}`]);
      clock.advance(seconds * 1000);
    }
    expect((await anonymous.post('/v1/auth/login', { email, password: 'Harbour-Lantern-43' })).status).toBe(401);
    const blocked = await anonymous.post('/v1/auth/login', { email, password });
    expect([blocked.status, blocked.body.code]).toEqual([429, 'TOO_MANY_ATTEMPTS']);
    expect(blocked.headers.get('x-auth-threat-level')).toBe('medium');
    clock.advance((900 + 30) * 1000);
    expect((await anonymous.post('/v1/auth/login', { email, password })).status).toBe(200);
  });

  it('delays guesses at an address without an account equally (platform A-21)', async () => {
    const email = 'nobody@example.org';
    clock.advance(86_400_000 * 2);
    expect((await service.anonymous.post('/v1/auth/login', { email, password })).status).toBe(401);
    const early = await service.anonymous.post('/v1/auth/login', { email, password });
    expect([early.status, early.body.detail]).toEqual([429, 'Please wait 1 seconds before trying again.']);
  });
});

describe('registration', () => {
  it('delays a client that probes addresses, but not their owners (platform A-14, A-20)', async () => {
    clock.advance(86_400_000 * 2);
    const person = { name: 'Mika', email: 'mika@example.org', password };
    expect((await service.anonymous.post('/v1/auth/register', person)).status).toBe(409);
    const early = await service.anonymous.post('/v1/auth/register', { ...person, email: 'new@example.org' });
    expect([early.status, early.body.code]).toEqual([429, 'TOO_MANY_ATTEMPTS']);
    expect(await refusal({ ip: '198.51.100.1', email: person.email })).toBeUndefined();
  });
});
