/**
 * Starts a service and a process of callers, and posts hundreds of events.
 * @module-tag full-run
 */
import { describe, expect, it } from 'vitest';
import { growth } from '../growth.ts';

describe('growth', () => {
  it('measures every line at every size, also where the postings of a size reach the next one', {
    timeout: 600_000,
  }, async () => {
    const figures = await growth('server:100,101', 0.2);
    const measured = figures.map(({ name, ours, bare }) => [name, ours > 0, bare > 0]);
    expect(measured).toEqual(figures.map(({ name }) => [name, true, true]));
    expect(figures.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'growth, server: storage of one event',
        'growth, server: write-ahead log of one event',
        'growth, server: balance sheet',
        'growth, server: income statement of one month',
        'growth, server: posting to an account that may not fall below zero, 16 callers',
        'growth, server: close of a month with 200 drafts',
      ]),
    );
  });

  it('rejects an argument that names no store or no size', async () => {
    await expect(growth('disk:400')).rejects.toThrow("'disk:400' does not name stores with the sizes of their books");
    await expect(growth('server:many')).rejects.toThrow("'server:many' does not name stores");
  });
});
