import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { AnalyticalNode, StagingStore } from '@pacioli/core/ports';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { duckdbStagingStore } from './duckdb-staging-store.ts';

const vessel: AnalyticalNode = {
  kind: 'node',
  name: 'Vessel',
  key: 'imo',
  extension: 'custom',
  columns: [
    { name: 'imo', type: 'STRING', isRequired: true },
    { name: 'name', type: 'STRING' },
  ],
};
const graphId = 'kg00000000000000000001';
const signal = new AbortController().signal;
const manyRows = 2_000_000;

/** Lists the child processes that run the worker. */
function workers(): number[] {
  const listed = execFileSync('ps', ['--ppid', String(process.pid), '-o', 'pid=,args='], { encoding: 'utf8' });
  return listed
    .split('\n')
    .filter((line) => line.includes('staging-duckdb'))
    .map((line) => Number.parseInt(line, 10));
}

describe('the process of a staging database that is killed', () => {
  let folder: string;
  let store: StagingStore;

  const count = async () => {
    const options = { timeoutMs: 60_000, maxRows: 10, signal };
    return (await store.query(graphId, [vessel], 'SELECT count(*) FROM Vessel', [], options)).rows[0]?.[0];
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pacioli-staging-'));
    store = duckdbStagingStore({ folder: join(folder, 'staging') });
    const path = join(folder, 'few.csv');
    await writeFile(path, 'imo,name\n1,Alba\n2,Brio\n');
    await store.stage(graphId, vessel, { id: 'gf_few', format: 'csv', path, position: 1 }, signal);
  });
  afterAll(async () => {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('fails the file that it was reading, keeps what was staged, and takes the file again (graphs F-8, E-11)', async () => {
    const path = join(folder, 'many.csv');
    const lines = function* () {
      yield 'imo,name\n';
      for (let row = 10; row < manyRows + 10; row += 1) yield `${row},Vessel ${row}\n`;
    };
    await pipeline(Readable.from(lines()), createWriteStream(path));
    const file = { id: 'gf_many', format: 'csv', path, position: 2 } as const;
    const staging = store.stage(graphId, vessel, file, signal).then(
      () => 'staged',
      (error: { code: string }) => error.code,
    );
    // Reading the file takes seconds, so the process is in the middle of it.
    await setTimeout(200);
    for (const pid of workers()) process.kill(pid, 'SIGKILL');
    expect(await staging).toBe('unavailable');
    expect(await count()).toBe(2);
    await store.stage(graphId, vessel, file, signal);
    expect(await count()).toBe(manyRows + 2);
  });

  it('shows the rows of a file that was not recorded to nobody until they are settled (graphs T-9a)', async () => {
    const other = 'kg00000000000000000002';
    const path = join(folder, 'few.csv');
    const rows = async () => {
      const options = { timeoutMs: 60_000, maxRows: 10, signal };
      return (await store.query(other, [vessel], 'SELECT count(*) FROM Vessel', [], options)).rows[0]?.[0];
    };
    const lose = (id: string, position: number) =>
      store.stage(other, vessel, { id, format: 'csv', path, position }, signal, async () => {
        for (const pid of workers()) process.kill(pid, 'SIGKILL');
        return true;
      });
    for (const [id, isKept, left] of [
      ['gf_lost', false, 0],
      ['gf_kept', true, 2],
    ] as const) {
      await expect(lose(id, 1)).rejects.toMatchObject({ code: 'unavailable' });
      await expect(rows()).rejects.toMatchObject({ code: 'unrecorded' });
      await expect(store.check(other, [vessel])).rejects.toMatchObject({ code: 'unrecorded' });
      await store.settle(other, [vessel], async (file) => {
        expect(file).toEqual({ id, table: 'Vessel', rows: 2 });
        return isKept;
      });
      expect(await rows()).toBe(left);
    }
  });

  it('ends when its parent ended before it was ready (graphs E-11)', async () => {
    const child = fork(fileURLToPath(new URL('./worker/main.ts', import.meta.url)), [], {
      execArgv: ['--import', 'tsx', '--conditions', '@pacioli/source'],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    // As when the parent is killed: the channel is gone before the program is loaded.
    child.disconnect();
    expect(await once(child, 'exit')).toEqual([0, null]);
  });
});
