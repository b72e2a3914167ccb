/**
 * Starts two dozen engine processes and lets one use all of its memory limit.
 * @module-tag full-run
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AnalyticalRow, type GraphStore, isGraphStoreError, type QueryParameters } from '@pacioli/core/ports';
import { ask, batches, build, company, heavy, running } from '@pacioli/graph-statements/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ladybugGraphStore } from './ladybug-graph-store.ts';

const ref = { graphId: 'kg00000000000000000009', generation: 1 };
const mebibyte = 2 ** 20;

/** Processes of other test files, which share this process. */
const others = new Set<number>();

/** Lists the child processes that run the worker since the test began. */
function workers(): number[] {
  const listed = execFileSync('ps', ['--ppid', String(process.pid), '-o', 'pid=,args='], { encoding: 'utf8' });
  return listed
    .split('\n')
    .filter((line) => line.includes('graph-ladybug') && line.includes('worker/main'))
    .map((line) => Number.parseInt(line, 10))
    .filter((pid) => !others.has(pid));
}

function residentBytesOf(pid: number): number {
  return Number(execFileSync('ps', ['-p', String(pid), '-o', 'rss='], { encoding: 'utf8' })) * 1024;
}

async function errorOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    if (isGraphStoreError(error)) return error.code;
    throw error;
  }
  return 'no error';
}

/** Writes a long text with the engine itself, and ends as a process that is killed between the commit and its checkpoint. */
function dieAfterCommit(path: string): void {
  const program = `
    const { Connection, Database } = require('@ladybugdb/core');
    const connection = new Connection(new Database(process.argv[1]));
    const text = "CREATE (c:Company {identifier: '" + 'k'.repeat(9000) + "'})";
    connection.query(text).then(() => process.kill(process.pid, 'SIGKILL'));`;
  const { signal } = spawnSync(process.execPath, ['-e', program, path], { cwd: import.meta.dirname });
  expect(signal).toBe('SIGKILL');
}

async function* companies(total: number): AsyncGenerator<readonly AnalyticalRow[]> {
  for (let from = 0; from < total; from += 10_000) {
    yield Array.from({ length: Math.min(10_000, total - from) }, (_, index) => company(`c${from + index}`));
  }
}

describe('engine processes', () => {
  let folder: string;
  let store: GraphStore;

  beforeEach(async () => {
    for (const pid of workers()) others.add(pid);
    folder = await mkdtemp(join(tmpdir(), 'pacioli-ladybug-'));
    store = ladybugGraphStore({ folder, maxMemoryBytes: 700 * mebibyte, maxStatementsPerDatabase: 2 });
  });
  afterEach(async () => {
    await store.close();
    await rm(folder, { recursive: true });
  });

  it('answers after five seconds although the engine computes the constants of a statement for longer (graphs Q-33)', async () => {
    await build(store, ref, batches([company('a')]));
    const constants = `RETURN ${Array(20_000).fill('1').join('+')} AS sum`;
    expect(await errorOf(store.analyze(ref, constants, {}))).toBe('timeout');
    expect(await ask(store, ref, 'RETURN 1 AS one')).toEqual([[1]]);
  });

  it('fails running statements when their process is killed, and runs the next query in a new one (graphs E-11)', async () => {
    await build(store, ref, batches([company('a')]));
    expect(await ask(store, ref, 'RETURN 1 AS one')).toEqual([[1]]);
    const [before] = workers();
    const lost = errorOf(ask(store, ref, heavy));
    process.kill(before ?? 0, 'SIGKILL');
    expect(await lost).toBe('unavailable');
    expect(await ask(store, ref, 'MATCH (c:Company) RETURN c.identifier')).toEqual([['a']]);
    expect(workers()).not.toContain(before);
  });

  it('refuses a statement that has crashed its process twice, and no other one (graphs E-11)', async () => {
    await build(store, ref, batches([company('a')]));
    for (let crash = 0; crash < 2; crash += 1) {
      await ask(store, ref, 'RETURN 1 AS one');
      const [pid = 0] = workers();
      const lost = errorOf(ask(store, ref, heavy));
      process.kill(pid, 'SIGKILL');
      expect(await lost).toBe('unavailable');
    }
    await expect(ask(store, ref, heavy)).rejects.toMatchObject({
      code: 'runtime',
      message: expect.stringContaining('stopped the graph engine repeatedly, so it is refused for 10 minutes'),
    });
    expect(await ask(store, ref, 'RETURN 1 AS one')).toEqual([[1]]);
  });

  it('keeps every committed row when a process is killed after a load', async () => {
    await build(store, ref, companies(20_000));
    await ask(store, ref, 'RETURN 1 AS one');
    process.kill(workers()[0] ?? 0, 'SIGKILL');
    await expect.poll(async () => (await store.probe()).open_databases).toBe(0);
    expect(await ask(store, ref, 'MATCH (c:Company) RETURN count(*) AS companies')).toEqual([[20_000]]);
  });

  const kill = async () => {
    process.kill(workers()[0] ?? 0, 'SIGKILL');
    await expect.poll(async () => (await store.probe()).open_databases).toBe(0);
  };
  const writing = async (text: string, parameters: QueryParameters) =>
    (await store.write(ref, text, parameters, running())).cancel();

  it('keeps a written text of any length when its process is killed', async () => {
    await build(store, ref, batches([company('a')]));
    // Around a page of the engine's log, which has 4,096 bytes.
    for (const size of [100, 4_000, 4_200, 500_000]) {
      await writing('CREATE (c:Company {identifier: $id})', { id: 'b'.repeat(size) });
      await kill();
      const longest = 'MATCH (c:Company) RETURN max(size(c.identifier)) AS longest';
      expect(await ask(store, ref, longest)).toEqual([[size]]);
    }
  });

  it('opens a database whose log ends in a statement that the engine cannot read', async () => {
    await build(store, ref, batches([company('a')]));
    await writing('CREATE (c:Company {identifier: $id})', { id: 'b' });
    await kill();
    const name = (await readdir(folder)).find((each) => each.endsWith('.lbug')) ?? '';
    dieAfterCommit(join(folder, name));
    await writing('CREATE (c:Company {identifier: $id})', { id: 'c' });
    expect(await ask(store, ref, 'MATCH (c:Company) RETURN c.identifier ORDER BY c.identifier')).toEqual([
      ['a'],
      ['b'],
      ['c'],
    ]);
    expect(await readdir(folder)).toContain(`${name}.wal.unreadable`);
  });

  it('loads a table that does not fit into the buffer pool of its readers (graphs E-12)', async () => {
    const small = ladybugGraphStore({ folder, maxMemoryBytes: 700 * mebibyte, bufferPoolBytes: 24 * mebibyte });
    try {
      await build(small, ref, companies(300_000));
      expect(await ask(small, ref, 'MATCH (c:Company) RETURN count(*) AS companies')).toEqual([[300_000]]);
    } finally {
      await small.close();
    }
  });

  it('stops a statement that exceeds the memory limit, and refuses it after the second time (graphs E-13)', {
    timeout: 300_000,
  }, async () => {
    await build(store, ref, batches([company('a')]));
    const greedy = 'UNWIND range(1, 900000) AS a UNWIND range(1, 60) AS b RETURN a, b, a * b AS c';
    expect(await errorOf(ask(store, ref, greedy))).toBe('memory');
    expect(await errorOf(ask(store, ref, greedy))).toBe('memory');
    expect(await errorOf(ask(store, ref, greedy))).toBe('runtime');
    expect(await ask(store, ref, 'RETURN 1 AS one')).toEqual([[1]]);
  });

  it('needs no more memory for a large result after the same one was read before (graphs E-13)', async () => {
    await build(store, ref, batches([company('a')]));
    const text = "UNWIND range(1, 300000) AS n RETURN n, concat('row ', cast(n AS STRING)) AS name";
    const sizes: number[] = [];
    for (let run = 0; run < 6; run += 1) {
      const stream = await store.run(ref, text, {}, running());
      await stream.cancel();
      sizes.push(residentBytesOf(workers()[0] ?? 0));
    }
    expect((sizes.at(-1) ?? 0) - (sizes[0] ?? 0)).toBeLessThan(80 * mebibyte);
  });

  it('recycles a process whose slots are all held by canceled statements (graphs C-6)', async () => {
    await build(store, ref, batches([company('a')]));
    await ask(store, ref, 'RETURN 1 AS one');
    const [before] = workers();
    const controller = new AbortController();
    const cancelled = [1, 2].map(() =>
      errorOf(ask(store, ref, heavy, {}, { signal: controller.signal, timeoutMs: 60_000 })),
    );
    await expect.poll(async () => (await store.probe()).running_statements).toBe(2);
    controller.abort();
    expect(await Promise.all(cancelled)).toEqual(['cancelled', 'cancelled']);
    expect(await ask(store, ref, 'RETURN 1 AS one')).toEqual([[1]]);
    expect(workers()).not.toContain(before);
  });

  it('reads in another process while long statements occupy the threads of the first (graphs C-3)', async () => {
    // One statement may use all threads, whatever this machine has.
    const busy = ladybugGraphStore({ folder, maxStatementsPerDatabase: 2, threadsPerStatement: 256, maxProcesses: 2 });
    try {
      await build(busy, ref, batches([company('a')]));
      // Its idle process makes place for the further reader.
      const other = { ...ref, graphId: 'kg00000000000000000008' };
      await build(busy, other, batches([company('b')]));
      await ask(busy, other, 'RETURN 1 AS one');
      const controller = new AbortController();
      const long = [1, 2].map(() =>
        errorOf(ask(busy, ref, heavy, {}, { signal: controller.signal, timeoutMs: 60_000 })),
      );
      await expect.poll(async () => (await busy.probe()).running_statements).toBe(2);
      // The first process accepts no third statement, and is occupied as soon as the first two have run for a while.
      await expect.poll(() => errorOf(ask(busy, ref, 'RETURN 1 AS one'))).toBe('no error');
      expect(await busy.probe()).toMatchObject({ open_databases: 2, running_statements: 2 });
      controller.abort();
      expect(await Promise.all(long)).toEqual(['cancelled', 'cancelled']);
      expect(await ask(busy, ref, 'MATCH (c:Company) RETURN c.identifier')).toEqual([['a']]);
    } finally {
      await busy.close();
    }
  });

  it('streams 200,000 rows to a slow reader in flat memory, one chunk ahead of it (graphs E-40, E-43)', async () => {
    await build(store, ref, companies(200_000));
    const stream = await store.run(
      ref,
      'MATCH (c:Company) RETURN c.identifier, c.name, c.cents',
      {},
      running({ rowsPerChunk: 500 }),
    );
    global.gc?.();
    const before = process.memoryUsage.rss();
    let rows = 0;
    let most = 0;
    for await (const chunk of stream) {
      rows += chunk.length;
      await new Promise((resolve) => setImmediate(resolve));
      most = Math.max(most, process.memoryUsage.rss() - before);
    }
    expect(rows).toBe(200_000);
    expect(most).toBeLessThan(64 * mebibyte);
    expect((await store.probe()).running_statements).toBe(0);
  });

  it('frees the connection when a reader leaves after one chunk (graphs E-43)', async () => {
    await build(store, ref, companies(50_000));
    const stream = await store.run(ref, 'MATCH (c:Company) RETURN c.identifier', {}, running({ rowsPerChunk: 10 }));
    for await (const chunk of stream) {
      expect(chunk).toHaveLength(10);
      break;
    }
    expect((await store.probe()).running_statements).toBe(0);
  });

  it('rejects a statement beyond the limit of concurrent statements on one database (graphs C-5)', async () => {
    await build(store, ref, batches([company('a'), company('b')]));
    const open = await Promise.all(
      [1, 2].map(() => store.run(ref, 'MATCH (c:Company) RETURN c.identifier', {}, running())),
    );
    expect(await errorOf(ask(store, ref, 'RETURN 1 AS one'))).toBe('unavailable');
    for (const stream of open) await stream.cancel();
    expect(await ask(store, ref, 'RETURN 1 AS one')).toEqual([[1]]);
  });
});
