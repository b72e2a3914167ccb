import { describe, expect, it } from 'vitest';
import { AccessCache } from './access-cache.ts';

function makeCache(bounds = { maxEntries: 2, maxAgeMs: 2000 }) {
  let time = 0;
  const cache = new AccessCache<string>({ now: () => new Date(time) }, bounds);
  return { cache, pass: (ms: number) => (time += ms) };
}

describe('the access cache', () => {
  it('reads once while an entry is fresh and again when it reaches its maximum age (platform A-4)', async () => {
    const { cache, pass } = makeCache();
    let reads = 0;
    const read = async () => `answer ${++reads}`;
    expect(await cache.get('a', read)).toBe('answer 1');
    pass(1999);
    expect(await cache.get('a', read)).toBe('answer 1');
    pass(1);
    expect(await cache.get('a', read)).toBe('answer 2');
  });

  it('never holds more entries than its limit and evicts the oldest first', async () => {
    const { cache } = makeCache();
    for (const key of ['a', 'b', 'c']) await cache.get(key, async () => key);
    expect(cache.size).toBe(2);
    expect(await cache.get('a', async () => 'read again')).toBe('read again');
    expect(await cache.get('c', async () => 'read again')).toBe('c');
  });

  it('reads again when the cached entry is not usable for the caller, and caches the new one', async () => {
    const { cache } = makeCache();
    await cache.get('a', async () => 'old');
    const isNew = (value: string) => value === 'new';
    expect(await cache.get('a', async () => 'new', isNew)).toBe('new');
    expect(await cache.get('a', async () => 'read again', isNew)).toBe('new');
  });

  it('forgets the entry of one key', async () => {
    const { cache } = makeCache();
    for (const key of ['a', 'b']) await cache.get(key, async () => key);
    cache.forgetKey('a');
    expect(await cache.get('a', async () => 'read again')).toBe('read again');
    expect(await cache.get('b', async () => 'read again')).toBe('b');
  });

  it('does not cache an absent result', async () => {
    const { cache } = makeCache();
    expect(await cache.get('a', async () => undefined)).toBeUndefined();
    expect(await cache.get('a', async () => 'now there')).toBe('now there');
  });

  it('does not cache a result whose read overlapped an invalidation', async () => {
    const { cache } = makeCache();
    const stale = await cache.get('a', async () => {
      cache.forget(() => true);
      return 'stale';
    });
    expect(stale).toBe('stale');
    expect(await cache.get('a', async () => 'fresh')).toBe('fresh');
  });
});
