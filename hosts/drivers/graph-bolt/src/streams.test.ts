/**
 * Starts graph servers, one of which is killed, and reads a million rows.
 * @module-tag full-run
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { GenerationRef } from '@pacioli/core/ports';
import { ask, batches, build, codeOf, company, heavy, running } from '@pacioli/graph-statements/testing';
import neo4j from 'neo4j-driver';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BoltTestStore, openBoltTestStore } from '../test/bolt-test-store.ts';
import { reasonToSkip, serversOf } from './testing/bolt-servers.ts';
import { startServerProcess } from './testing/server-process.ts';

const ref: GenerationRef = { graphId: 'kg00000000000000000001', generation: 1 };
const other: GenerationRef = { graphId: 'kg00000000000000000002', generation: 1 };
const mebibyte = 2 ** 20;

const reason = reasonToSkip();

describe.skipIf(reason !== undefined)(`streams of a server${reason === undefined ? '' : `: ${reason}`}`, () => {
  let under: BoltTestStore;

  beforeAll(async () => {
    under = await openBoltTestStore(1, { maxStatementsPerGraph: 2, maxStreamIdleMs: 2_000 });
    await build(under.store, ref, batches(Array.from({ length: 1_000 }, (_, index) => company(`c${index}`))));
  });
  afterAll(() => under.close());

  /** The transactions of callers that the server still has. */
  const transactions = async (): Promise<number> => {
    const driver = neo4j.driver(under.databases[0]?.url ?? '');
    try {
      const { records } = await driver.executeQuery(
        "SHOW TRANSACTIONS YIELD currentQuery WHERE NOT currentQuery STARTS WITH 'SHOW' RETURN currentQuery",
      );
      return records.length;
    } finally {
      await driver.close();
    }
  };

  it('streams 1,000,000 rows to a slow reader in flat memory (graphs E-4, E-40, E-43)', async () => {
    const text = 'MATCH (a:Company), (b:Company) RETURN a.identifier, b.identifier, a.cents';
    const stream = await under.store.run(ref, text, {}, running({ rowsPerChunk: 1_000, maxRows: 2_000_000 }));
    // What is alive after a collection; the memory of the process also has garbage, of other tests of the worker too.
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void; // A function by the flag above.
    const alive = (): number => {
      collect();
      const { heapUsed, external } = process.memoryUsage();
      return heapUsed + external;
    };
    let [rows, before, most] = [0, 0, 0];
    for await (const chunk of stream) {
      rows += chunk.length;
      await new Promise((resolve) => setImmediate(resolve));
      if (rows === 100_000) before = alive();
      else if (rows % 100_000 === 0) most = Math.max(most, alive() - before);
    }
    expect(rows).toBe(1_000_000);
    expect(most).toBeLessThan(16 * mebibyte);
    expect((await under.store.probe()).running_statements).toBe(0);
  });

  it('frees the transaction of the server at a time limit, a cancel, and an early end (graphs Q-51, C-6, E-43)', async () => {
    expect(await codeOf(ask(under.store, ref, heavy, {}, { timeoutMs: 500 }))).toBe('timeout');
    await expect.poll(transactions, { timeout: 1_000 }).toBe(0);
    const controller = new AbortController();
    const endless = ask(under.store, ref, heavy, {}, { signal: controller.signal });
    await expect.poll(transactions).toBe(1);
    controller.abort();
    expect(await codeOf(endless)).toBe('cancelled');
    await expect.poll(transactions, { timeout: 1_000 }).toBe(0);
    const all = 'MATCH (a:Company), (b:Company) RETURN a.identifier';
    for await (const chunk of await under.store.run(ref, all, {}, running({ rowsPerChunk: 10 }))) {
      expect(chunk).toHaveLength(10);
      break;
    }
    await expect.poll(transactions, { timeout: 1_000 }).toBe(0);
  });

  it('answers at the time limit although the server does not stop, and drops its connection (graphs E-38)', async () => {
    const endless = "RETURN size(reduce(s = '', x IN range(1, 250000) | s + 'a')) AS found";
    const began = Date.now();
    expect(await codeOf(ask(under.store, ref, endless, {}, { timeoutMs: 500 }))).toBe('timeout');
    expect(Date.now() - began).toBeLessThan(3_000);
    expect(await ask(under.store, ref, 'RETURN 1 AS one')).toEqual([[1]]);
    expect((await under.store.probe()).running_statements).toBe(0);
    await expect.poll(transactions, { timeout: 60_000, interval: 500 }).toBe(0);
  });

  it('drops a statement whose rows are too large for the service, whose memory stays flat (graphs E-38)', async () => {
    const text = 'x'.repeat(10_000);
    setFlagsFromString('--expose-gc');
    (runInNewContext('gc') as () => void)(); // A function by the flag above.
    const before = process.memoryUsage().rss;
    // Two gigabytes as one value, and as the thousand rows of one request.
    for (const statement of [
      'RETURN [x IN range(1, 200000) | $text] AS found',
      'UNWIND range(1, 1000) AS n RETURN [x IN range(1, 200) | $text] AS found',
    ])
      expect(await codeOf(ask(under.store, ref, statement, { text }))).toBe('memory');
    expect(process.memoryUsage().rss - before).toBeLessThan(400 * mebibyte);
    const [[found] = []] = await ask(under.store, ref, 'UNWIND range(1, 7000) AS n RETURN $text AS found', { text });
    expect(found).toBe(text);
    expect((await under.store.probe()).running_statements).toBe(0);
  });

  it('takes a stream from a reader that fetches no rows (graphs E-42)', async () => {
    const all = 'MATCH (a:Company), (b:Company) RETURN a.identifier';
    const stream = await under.store.run(ref, all, {}, running({ rowsPerChunk: 10 }));
    const rows = stream[Symbol.asyncIterator]();
    await rows.next();
    await expect.poll(transactions).toBe(0);
    expect(await codeOf(rows.next())).toBe('timeout');
  });

  it('rejects a statement beyond the limit of concurrent statements on one graph (graphs C-5)', async () => {
    const open = await Promise.all(
      [1, 2].map(() => under.store.run(ref, 'MATCH (c:Company) RETURN c.identifier', {}, running())),
    );
    expect(await codeOf(ask(under.store, ref, 'RETURN 1 AS one'))).toBe('unavailable');
    for (const stream of open) await stream.cancel();
    expect(await ask(under.store, ref, 'RETURN 1 AS one')).toEqual([[1]]);
  });

  it('reports a server that was killed, and serves the graphs of the others', async () => {
    const lost = await startServerProcess();
    const kept = await startServerProcess();
    const both = [await serversOf(lost, 1), await serversOf(kept, 2)].flatMap(({ databases }) => databases);
    const store = under.another({ databases: both, maxConnectMs: 2_000 });
    try {
      // The directory is asked for the addresses in their order, so the first graph is on the first server.
      await build(store, other, batches([company('x')]));
      const next = { ...other, generation: 2 };
      await build(store, next, batches([company('y'), company('z')]));
      const unanswered = codeOf(ask(store, other, heavy));
      await new Promise((resolve) => setTimeout(resolve, 500));
      lost.process.kill('SIGKILL');
      expect(await unanswered).toBe('unavailable');
      expect(await codeOf(ask(store, other, 'RETURN 1 AS one'))).toBe('unavailable');
      expect((await store.probe()).reachable).toBe(false);
      expect(await ask(store, next, 'MATCH (c:Company) RETURN count(*) AS n')).toEqual([[2]]);
      await build(store, { ...other, generation: 3 }, batches([company('w')]));
    } finally {
      await lost.stop();
      await kept.stop();
    }
  });
});
