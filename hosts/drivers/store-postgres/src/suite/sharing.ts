import type { Scope } from '@pacioli/core/ports';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { StoreDriver, TestStore } from '../testing.ts';
import { createSuiteTables } from './tables.ts';

const maxConnections = 4;
const first: Scope = { graphId: 'kg1' };
const second: Scope = { graphId: 'kg2' };
const neighbor: Scope = { graphId: 'kg3' };

export function describeSharing(driver: StoreDriver): void {
  describe('sharing', () => {
    let own: TestStore;
    let started: string[];
    let open: () => void;
    let opened: Promise<void>;
    beforeAll(async () => {
      own = await driver.create({ maxConnections });
      await createSuiteTables(own.store);
    });
    afterAll(() => own.dispose());

    /** The transactions of one scope that run at once. */
    const ofOneScope = driver.hasManySessions ? maxConnections / 2 : 1;
    const inUse = driver.hasManySessions ? maxConnections : 1;
    const nameOf = (scope: Scope): string => (scope === 'kernel' ? scope : scope.graphId);
    const begin = (scope: Scope): Promise<unknown> =>
      own.store.transaction(scope, async (tx) => {
        started.push(nameOf(scope));
        await tx.query(sql`SELECT 1`);
      });
    /** Begins transactions that keep their connections until `open` is called. */
    const flood = (scope: Scope, transactions: number): Promise<unknown>[] =>
      Array.from({ length: transactions }, () =>
        own.store.transaction(scope, async (tx) => {
          started.push(nameOf(scope));
          await tx.query(sql`SELECT 1`);
          await opened;
        }),
      );
    const prepare = (): void => {
      started = [];
      opened = new Promise((resolve) => {
        open = resolve;
      });
    };

    it.runIf(driver.hasManySessions)(
      'leaves half of the connections to others when one graph has many callers (platform R-11)',
      async () => {
        prepare();
        const flooding = flood(first, 20);
        await begin(neighbor);
        await begin('kernel');
        expect(started.toSorted()).toEqual(['kernel', 'kg1', 'kg1', 'kg3']);
        open();
        await Promise.all(flooding);
      },
    );

    /** Begins transactions of one graph, or of two where there are many sessions, that keep every connection. */
    const floodAll = async (each: number): Promise<readonly Promise<unknown>[]> => {
      const flooders = driver.hasManySessions ? [first, second] : [first];
      const flooding = flooders.flatMap((scope) => flood(scope, each));
      await vi.waitFor(() => expect(started).toHaveLength(inUse), { timeout: 60_000 });
      return flooding;
    };

    it('serves other graphs and the kernel before the rest of a queue (platform R-11)', async () => {
      prepare();
      const flooding = await floodAll(20);
      const others = [begin(neighbor), begin('kernel')];
      open();
      await Promise.all([...flooding, ...others]);
      expect(started.slice(inUse, inUse + 2)).toEqual(['kg3', 'kernel']);
      expect(started).toHaveLength(flooding.length + others.length);
    });

    it('lets scopes take turns, so that newcomers do not hold up one that waits (platform R-11)', async () => {
      prepare();
      const flooding = await floodAll(ofOneScope + 1);
      const newcomers = Array.from({ length: 10 }, async (_, at) => {
        await opened;
        await begin({ graphId: `new${at}` });
        await begin({ graphId: `newer${at}` });
      });
      open();
      await Promise.all([...flooding, ...newcomers]);
      expect(started.lastIndexOf('kg1')).toBeLessThan(started.indexOf('newer0'));
    });

    it('rejects a transaction when a thousand of its scope wait, and accepts those of others (platform R-11)', async () => {
      prepare();
      const waiting = flood(first, ofOneScope + 1_000);
      await expect(begin(first)).rejects.toMatchObject({
        name: 'StoreError',
        code: 'busy',
        message: expect.stringContaining('Too many transactions wait for a connection.'),
      });
      const other = begin(neighbor);
      open();
      await Promise.all([...waiting, other]);
      await begin(first);
    });
  });
}
