/** @module-tag sessions */
import { defineRoute, isServiceError, model, type Plugin } from '@pacioli/core';
import { fixedClock, startTestService, type TestClient, type TestService } from '@pacioli/testing';
import { sql } from 'kysely';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { silentLog } from '../src/assembly/host-services.ts';
import { definePlugin } from '../src/define/plugin.ts';
import { RateLimiter } from '../src/limits/rate-limiter.ts';
import type { Store } from '../src/store/store.ts';

const open = defineRoute({
  name: 'get-open',
  path: 'GET /v1/open',
  summary: 'Responds to everybody.',
  openapi: { id: 'get_open', tag: 'test' },
  category: 'tasks',
  auth: [],
  answers: { 200: model('Open', { is_open: Type.Boolean() }) },
  fails: [429],
  handle: async () => ({ is_open: true }),
});
const bulky = definePlugin({
  name: 'bulky',
  title: 'Bulky',
  version: '0.1.0',
  kernel: '^0.1.0',
  routes: [open],
}) satisfies Plugin;

const clock = fixedClock('2026-03-02T09:00:00Z');
let service: TestService;
let ann: TestClient;
let bob: TestClient;

beforeAll(async () => {
  service = await startTestService({ plugins: [bulky], clock, settings: { rateLimits: { profile: 'standard' } } });
  ann = await service.newUser('Ann');
  bob = await service.newUser('Bob');
});
afterAll(() => service.close());

describe('a rate limit', () => {
  it('reports the remaining calls on every response, and refuses excess calls (platform R-2, R-4, R-8)', async () => {
    const first = await ann.get('/v1/orgs');
    expect(Object.fromEntries([...first.headers].filter(([name]) => name.startsWith('x-ratelimit')))).toMatchObject({
      'x-ratelimit-limit': '60',
      'x-ratelimit-remaining': '59',
      'x-ratelimit-category': 'user_management',
      'x-ratelimit-tier': 'standard',
    });
    for (let call = 2; call <= 60; call += 1) expect((await ann.get('/v1/orgs')).status).toBe(200);
    const refused = await ann.get('/v1/orgs');
    expect(refused.status).toBe(429);
    const wait = Number(refused.headers.get('retry-after'));
    expect(refused.body).toMatchObject({
      code: 'RATE_LIMIT_EXCEEDED',
      detail: `Rate limit exceeded for user management operations. Try again in ${wait} seconds.`,
    });
    expect(refused.headers.get('x-ratelimit-remaining')).toBe('0');
    expect(wait).toBeGreaterThanOrEqual(1);
    expect(wait).toBeLessThanOrEqual(61);
    // Other users and other categories of the same user are not affected (platform R-3).
    expect((await bob.get('/v1/orgs')).status).toBe(200);
    expect((await ann.get('/v1/graphs')).status).toBe(200);
    clock.advance(wait * 1000);
    expect((await ann.get('/v1/orgs')).status).toBe(200);
  });

  it('audits an exceeded limit once a minute, not for each call (platform P-31)', async () => {
    const cleo = await service.newUser('Cleo');
    for (let call = 0; call < 65; call += 1) await cleo.get('/v1/orgs');
    const me = (await cleo.get('/v1/auth/me')).body.id;
    const rows = await service.store.transaction('kernel', (tx) =>
      tx.query(sql<{ details: unknown }>`
        SELECT details FROM kernel_security_audit WHERE event_type = 'rate_limit_exceeded' AND user_id = ${me}`),
    );
    expect(rows).toEqual([{ details: { category: 'user_management', limit: 60, seconds: 60 } }]);
  });

  it('counts anonymous callers by their address, with the lowest limits (platform R-3)', async () => {
    clock.advance(120_000);
    const answers = [];
    for (let call = 0; call < 31; call += 1) answers.push(await service.anonymous.get('/v1/open'));
    expect(answers.slice(0, 30).every(({ status }) => status === 200)).toBe(true);
    expect(answers[30]?.status).toBe(429);
    expect(answers[30]?.headers.get('x-ratelimit-tier')).toBe('base');
  });

  it('blocks an address that keeps calling without a credential (platform R-6)', async () => {
    clock.advance(120_000);
    const statuses = [];
    for (let call = 0; call < 12; call += 1) statuses.push((await service.anonymous.get('/v1/user')).status);
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429, 429]);
  });

  it('has a separate limit for sign-in (platform R-6)', async () => {
    clock.advance(4_000_000);
    const statuses = [];
    for (let call = 0; call < 6; call += 1) {
      const body = { email: `nobody${call}@example.org`, password: 'Harbour-Lantern-42' };
      statuses.push((await service.anonymous.post('/v1/auth/login', body)).status);
      clock.advance(40_000);
    }
    expect(statuses.slice(0, 5)).not.toContain(200);
    expect(statuses[5]).toBe(429);
  });

  it('is off in the test profile and when disabled (platform R-1)', async () => {
    for (const rateLimits of [{ profile: 'test' as const }, { enabled: false, profile: 'standard' as const }]) {
      const free = await startTestService({ plugins: [], settings: { rateLimits } });
      const statuses = new Set<number>();
      for (let call = 0; call < 40; call += 1) statuses.add((await free.anonymous.get('/v1/user')).status);
      expect(statuses).toEqual(new Set([401]));
      await free.close();
    }
  });
});

/** Only a server store is shared by several processes. */
const hasServer = (process.env['PACIOLI_TEST_STORES'] ?? '').includes('server');

describe.runIf(hasServer)('rate limits of several processes', () => {
  const check = (bucket: string, maxCalls: number, failsClosed = false) => ({
    bucket,
    maxCalls,
    seconds: 60,
    label: 'test operations',
    category: 'test',
    tier: 'standard',
    failsClosed,
  });
  const limiters = (count: number): RateLimiter[] =>
    Array.from({ length: count }, () => new RateLimiter({ store: service.store, clock, log: silentLog }));

  it('admit exactly a low limit in total (platform R-1)', async () => {
    const processes = limiters(3);
    const outcomes = await Promise.all(
      Array.from({ length: 30 }, async (_, call) => (await processes[call % 3]?.admit([check('low', 10)]))?.[0]),
    );
    expect(outcomes.filter((standing) => standing?.isAdmitted === true)).toHaveLength(10);
    await Promise.all(processes.map((limiter) => limiter.close()));
  });

  it('exchange the counts of a high limit (platform R-1)', async () => {
    const [one, two] = limiters(2);
    for (let call = 0; call < 90; call += 1) await one?.admit([check('high', 100)]);
    await one?.close();
    await two?.admit([check('high', 100)]);
    await two?.close();
    const left = [];
    for (let call = 0; call < 12; call += 1) left.push((await two?.admit([check('high', 100)]))?.[0]?.isAdmitted);
    expect(left.filter((isAdmitted) => isAdmitted === true)).toHaveLength(9);
    await two?.close();
  });

  it('count every call of a process whose exchanges take longer than their interval (platform R-1)', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const held: (() => void)[] = [];
    const slow: Pick<Store, 'driver' | 'transaction'> = {
      driver: service.store.driver,
      transaction: async (...args) => {
        const answer = await service.store.transaction(...args);
        await new Promise<void>((resolve) => held.push(resolve));
        return answer;
      },
    };
    try {
      const limiter = new RateLimiter({ store: slow as Store, clock, log: silentLog });
      const admitted = async (calls: number): Promise<number> => {
        let count = 0;
        for (let call = 0; call < calls; call += 1)
          count += (await limiter.admit([check('slow', 100)]))[0]?.isAdmitted === true ? 1 : 0;
        return count;
      };
      expect(await admitted(40)).toBe(40);
      vi.advanceTimersByTime(200);
      await vi.waitUntil(() => held.length === 1, { timeout: 300_000 });
      expect(await admitted(40)).toBe(40);
      // The second interval ends while the first exchange waits for its answer.
      vi.advanceTimersByTime(200);
      held[0]?.();
      expect(await admitted(40)).toBe(20);
      const closed = limiter.close();
      await vi.waitUntil(() => held.length === 2, { timeout: 300_000 });
      held[1]?.();
      await closed;
    } finally {
      vi.useRealTimers();
    }
  });

  it('admit ordinary calls and refuse sign-in while the store is unavailable (platform R-1)', async () => {
    const away = await startTestService({ plugins: [] });
    await away.close();
    const limiter = new RateLimiter({ store: away.store, clock, log: silentLog });
    expect((await limiter.admit([check('open', 5)]))[0]?.isAdmitted).toBe(true);
    const failure = await limiter.admit([check('closed', 5, true)]).catch((error: unknown) => error);
    expect(isServiceError(failure) ? failure.kind : failure).toBe('unavailable');
    await limiter.close();
  });
});

describe('the host pass', () => {
  it('exempts the calls of the host, but not a caller with a guessed value', async () => {
    const own = await startTestService({ plugins: [], settings: { rateLimits: { profile: 'standard' } } });
    const known = own.anonymous.withHeaders(own.service.hostHeaders);
    const [name = '', pass = ''] = Object.entries(own.service.hostHeaders)[0] ?? [];
    const guessed = own.anonymous.withHeaders({ [name]: `${pass.slice(0, -1)}${pass.endsWith('A') ? 'B' : 'A'}` });
    const statuses = async (client: TestClient) => {
      const seen = new Set<number>();
      for (let call = 0; call < 15; call += 1) seen.add((await client.get('/v1/user')).status);
      return seen;
    };
    expect(await statuses(known)).toEqual(new Set([401]));
    expect(await statuses(guessed)).toEqual(new Set([401, 429]));
    await own.close();
  });
});
