import type { Route } from '@pacioli/core';
import { kernelPlugin } from '@pacioli/core/assembly';
import { type Answer, fixedClock, startTestService, type TestClient, type TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aliases, plugins } from '../src/plugins.ts';

/**
 * Goal: every limit that a route declares is enforced. Method: the routes come from the definitions of all plugins, so
 * that a new one is tested without a new line here. Each is called until its limit is reached, and once more.
 */
const limited = [kernelPlugin, ...plugins].flatMap(({ routes }) => routes).filter(({ limit }) => limit !== undefined);

/** The limit on all calls of one session in a minute, in addition to a route's own limit (platform R-6). */
const maxCallsPerSession = 500;
const concurrentCalls = 20;

const clock = fixedClock('2026-03-02T09:00:00Z');
let service: TestService;
/** Bypasses every limit, so that registering does not use up the limit under test. */
let host: TestClient;
beforeAll(async () => {
  service = await startTestService({ plugins, aliases, clock, settings: { rateLimits: { profile: 'standard' } } });
  host = service.anonymous.withHeaders(service.service.hostHeaders);
});
afterAll(() => service.close());

/** A new user without counted calls; anonymous for a route without a session. */
async function callerOf(route: Route): Promise<TestClient> {
  if (!route.auth.includes('bearer')) return service.anonymous;
  const email = `${route.name}@example.org`;
  const { body } = await host.post('/v1/auth/register', { name: 'Ann', email, password: 'Harbour-Lantern-42' });
  return service.anonymous.withHeaders({ authorization: `Bearer ${body.token}` });
}

function limitsOf({ headers }: Answer): Readonly<Record<string, string>> {
  return Object.fromEntries([...headers].filter(([name]) => name.startsWith('x-ratelimit')));
}

describe('rate limit of a route', () => {
  it('is declared by more than twenty routes', () => {
    expect(limited.length).toBeGreaterThan(20);
  });

  it.each(limited.map((route) => [route.path, route] as const))(
    'accepts the declared number of calls of %s, and rejects the next one (platform R-6, R-8)',
    async (path, route) => {
      if (route.limit === undefined) throw new Error('Only routes with a limit are tested.');
      const [method = '', template = ''] = path.split(' ');
      const caller = await callerOf(route);
      const call = (): Promise<Answer> => caller.request(method, template.replaceAll(/\{[^}]+\}/g, 'unknown'));
      const isUnderCeiling = caller === service.anonymous || route.limit.maxCalls <= maxCallsPerSession;
      const maxCalls = isUnderCeiling ? route.limit.maxCalls : maxCallsPerSession;
      const seconds = isUnderCeiling ? route.limit.seconds : 60;

      let left = maxCalls - 1;
      while (left > 0) {
        const batch = await Promise.all(Array.from({ length: Math.min(left, concurrentCalls) }, call));
        expect(batch.map(({ status }) => status)).not.toContain(429);
        left -= batch.length;
      }
      const last = await call();
      expect(last.status).not.toBe(429);
      expect(limitsOf(last)).toMatchObject({
        'x-ratelimit-limit': String(route.limit.maxCalls),
        'x-ratelimit-remaining': String(route.limit.maxCalls - maxCalls),
        'x-ratelimit-category': route.category ?? 'endpoint',
      });

      const refused = await call();
      expect([refused.status, refused.body.code]).toEqual([429, 'RATE_LIMIT_EXCEEDED']);
      expect(refused.body.detail).toMatch(/^Rate limit exceeded for .+\. Try again in \d+ (?:second|minute|hour)s?\.$/);
      const tier = caller === service.anonymous ? 'base' : 'standard';
      expect(limitsOf(refused)).toEqual({
        'x-ratelimit-limit': String(maxCalls),
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': expect.stringMatching(/^\d+$/),
        'x-ratelimit-category': isUnderCeiling ? (route.category ?? 'endpoint') : 'all',
        'x-ratelimit-tier': isUnderCeiling ? tier : 'all',
      });
      const wait = Number(refused.headers.get('retry-after'));
      expect(wait).toBeGreaterThanOrEqual(1);
      expect(wait).toBeLessThanOrEqual(seconds);
      const now = clock.now().getTime() / 1000;
      expect(Number(refused.headers.get('x-ratelimit-reset'))).toBe(Math.ceil(now) + wait);

      clock.advance(wait * 1000);
      expect((await call()).status).not.toBe(429);
    },
    60_000,
  );
});
