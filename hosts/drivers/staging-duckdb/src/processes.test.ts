import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AnalyticalNode, StagingStore } from '@pacioli/core/ports';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { duckdbStagingStore } from './duckdb-staging-store.ts';

const vessel: AnalyticalNode = {
  kind: 'node',
  name: 'Vessel',
  key: 'imo',
  extension: 'custom',
  columns: [{ name: 'imo', type: 'STRING', isRequired: true }],
};
const signal = new AbortController().signal;
const graphIds = ['kg1', 'kg2', 'kg3', 'kg4'];
const options = { timeoutMs: 60_000, maxRows: 10, signal };

/** Processes of other test files, which share this process. */
const others = new Set<number>();

/** Lists the child processes that run the worker since the tests began. */
function workers(): number[] {
  const listed = execFileSync('ps', ['--ppid', String(process.pid), '-o', 'pid=,stat=,args='], { encoding: 'utf8' });
  return listed
    .split('\n')
    .filter((line) => line.includes('staging-duckdb') && !/^\s*\d+\s+Z/.test(line))
    .map((line) => Number.parseInt(line, 10))
    .filter((pid) => !others.has(pid));
}

describe('the processes of the staging store', () => {
  let folder: string;
  let store: StagingStore;

  const count = async (graphId: string, more: object = {}) =>
    (await store.query(graphId, [vessel], 'SELECT count(*) FROM Vessel', [], { ...options, ...more })).rows[0]?.[0];
  const endless = (graphId: string, timeoutMs: number) =>
    store.query(
      graphId,
      [],
      'SELECT count(*) FROM range(100000000) a, range(1000000) b WHERE a.range = b.range + 1',
      [],
      {
        ...options,
        timeoutMs,
      },
    );

  beforeAll(async () => {
    for (const pid of workers()) others.add(pid);
    folder = await mkdtemp(join(tmpdir(), 'pacioli-processes-'));
    const staging = join(folder, 'staging');
    store = duckdbStagingStore({ folder: staging, maxProcesses: 2 });
    for (const graphId of graphIds)
      await store.withUpload(async (path) => {
        await writeFile(path, 'imo\n1\n');
        await store.stage(graphId, vessel, { id: 'gf_1', format: 'csv', path, position: 1 }, signal);
      });
  });
  afterAll(async () => {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('are never more than the limit, with those that wait for a next statement', async () => {
    let most = 0;
    const timer = setInterval(() => {
      most = Math.max(most, workers().length);
    }, 20);
    for (const graphId of graphIds) expect(await count(graphId)).toBe(1);
    expect(await Promise.all([...graphIds, ...graphIds].map((graphId) => count(graphId)))).toEqual(Array(8).fill(1));
    await Promise.all(graphIds.map((graphId) => store.check(graphId, [vessel])));
    clearInterval(timer);
    expect(most).toBe(2);
  });

  it('are replaced once when one was killed', async () => {
    await count('kg1');
    await store.check('kg2', [vessel]);
    for (const pid of workers()) process.kill(pid, 'SIGKILL');
    // Twice, so that the events of their ends have been seen.
    let seen = 0;
    await expect.poll(() => (workers().length === 0 ? ++seen : 0)).toBe(2);
    expect(await Promise.all([count('kg1'), count('kg1'), count('kg1')])).toEqual([1, 1, 1]);
    expect(workers()).toHaveLength(1);
    await store.close();
    expect(workers()).toHaveLength(0);
  });

  it('are waited for no longer than the limit of the statement (graphs SQ-4)', async () => {
    const busy = [endless('kg1', 3_000), endless('kg2', 3_000)].map((each) => each.catch(({ code }) => code));
    await expect(count('kg3', { timeoutMs: 300 })).rejects.toMatchObject({ code: 'timeout' });
    const controller = new AbortController();
    const left = count('kg3', { signal: controller.signal });
    controller.abort();
    await expect(left).rejects.toMatchObject({ code: 'cancelled' });
    expect(await Promise.all(busy)).toEqual(['timeout', 'timeout']);
    expect(await count('kg3')).toBe(1);
  });

  it('stop reading rows of another source at the limit of the statement (graphs SQ-4, SQ-8)', async () => {
    let batches = 0;
    const source = {
      name: 'Entry',
      columns: [{ name: 'id', type: 'STRING' }],
      async *rows() {
        for (;;) {
          batches += 1;
          yield [{ id: String(batches) }];
        }
      },
    };
    const asked = store.queryRows('kg1', [source], 'SELECT count(*) FROM Entry', [], { ...options, timeoutMs: 1_000 });
    await expect(asked).rejects.toMatchObject({ code: 'timeout' });
    await store.close();
    const read = batches;
    await expect.poll(() => workers().length).toBe(0);
    expect(batches - read).toBeLessThan(2);
  });

  it('cut an answer that is too long, before it reaches the parent (graphs SQ-4)', async () => {
    const sql = "SELECT range AS n, repeat('x', 1000000) AS long FROM range(10)";
    const cut = await store.query('kg1', [], sql, [], { ...options, maxBytes: 3_500_000 });
    expect([cut.rows.length, cut.truncated, cut.columns]).toEqual([3, true, ['n', 'long']]);
    const whole = await store.query('kg1', [], sql, [], { ...options, maxBytes: 11_000_000 });
    expect([whole.rows.length, whole.truncated]).toEqual([10, false]);
  });

  it('leave no file of an upload or an export, and remove those of a process that was killed', async () => {
    const staging = join(folder, 'staging');
    const leftovers = ['upload-0c3c5f3e-0000-4000-8000-000000000000', 'kg1.duckdb.export-0c3c5f3e.parquet'];
    const twoHoursAgo = new Date(Date.now() - 7_200_000);
    for (const name of leftovers) {
      await writeFile(join(staging, name), 'half');
      await utimes(join(staging, name), twoHoursAgo, twoHoursAgo);
    }
    await store.close();
    store = duckdbStagingStore({ folder: staging, maxProcesses: 2 });
    const paths = await Promise.all(
      [1, 2, 3].map(() =>
        store.withParquet('kg1', vessel, async (path) => {
          expect(existsSync(path)).toBe(true);
          return path;
        }),
      ),
    );
    expect(new Set(paths).size).toBe(3);
    await expect(store.withUpload(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect((await readdir(staging)).filter((name) => /upload|export/.test(name))).toEqual([]);
  });
});
