import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AnalyticalRow, GraphStore } from '@pacioli/core/ports';
import { ask, batches, build, Company, company, loading, Owns, schema } from '@pacioli/graph-statements/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EngineProcess } from './engine-process.ts';
import { ladybugGraphStore } from './index.ts';
import { endLoad, stageTable } from './load-table.ts';
import { defaults } from './options.ts';

describe('load-table', () => {
  let folder: string;
  let store: GraphStore;
  let generation = 0;
  const next = () => ({ graphId: 'kg1', generation: ++generation });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pacioli-load-'));
    store = ladybugGraphStore({ folder });
  });
  afterAll(async () => {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('keeps each text and number as it was given, also null beside the empty text', async () => {
    const ref = next();
    const names = [
      '',
      null,
      'NULL',
      '"',
      '""',
      ' a ',
      'a,b',
      'a\r\nb\n',
      "O'Neil \\ $1",
      'é会社😀',
      'x'.repeat(3_000_000),
    ];
    const shares = [0, -0, 0.1, 1e21, 5e-324, Number.MAX_VALUE, -1 / 3, null];
    const cents = [2n ** 63n - 1n, 1n - 2n ** 63n, 0, -5, Number.MAX_SAFE_INTEGER, null];
    const rows = names.map((name, index) =>
      company(`c${String(index).padStart(2, '0')}`, {
        name,
        share: shares[index] ?? null,
        cents: cents[index] ?? null,
        listed: index % 2 === 0,
        staff: index % 3 === 0 ? null : -(2 ** 31) + index,
      }),
    );
    await build(store, ref, batches(rows, 2));
    const found = await ask(
      store,
      ref,
      'MATCH (c:Company) RETURN c.name, c.share, c.cents, c.listed, c.staff ORDER BY c.identifier',
    );
    expect(found).toEqual(rows.map((row) => [row['name'], row['share'], row['cents'], row['listed'], row['staff']]));
    await store.drop(ref);
  });

  it('rejects a row with a value of another type, and names its column (graphs M-24)', async () => {
    const ref = next();
    await store.create(ref, schema);
    for (const [column, value] of [
      ['name', 7],
      ['staff', 2 ** 31],
      ['staff', 1.5],
      ['cents', 2 ** 53],
      ['cents', 2n ** 63n],
      ['share', '0.5'],
      ['listed', 'true'],
      ['founded', new Date(0)],
    ] as const) {
      // A plugin without types can give any value.
      const row = company('a', { [column]: value } as AnalyticalRow);
      const load = store.load(ref, Company, { kind: 'rows', batches: batches([row]) }, loading);
      const message = expect.stringContaining(`${column} is `);
      await expect(load, `${column} is ${value}`).rejects.toMatchObject({ code: 'runtime', message });
    }
    await store.drop(ref);
  });

  it('rejects rows whose numbers are not finite, also between equal ones (graphs T-6, M-24)', async () => {
    const ref = next();
    const rows = [0.1, Number.NaN, null, Number.POSITIVE_INFINITY, 0.1].map((share, index) =>
      company(`c${index}`, { share }),
    );
    await store.create(ref, schema);
    const report = await store.load(
      ref,
      Company,
      { kind: 'rows', batches: batches(rows) },
      { ...loading, maxRejects: 2 },
    );
    expect(report).toMatchObject({ rows_loaded: 3, rejects: [{ reason: 'cast', count: 2, examples: ['c1', 'c3'] }] });
    await store.promote(ref);
    expect(await ask(store, ref, 'MATCH (c:Company) RETURN c.share ORDER BY c.identifier')).toEqual([
      [0.1],
      [null],
      [0.1],
    ]);
    await store.drop(ref);
  });

  it('rejects rows with the smallest number of a type, so that a bundle with one is refused (graphs T-6, M-24)', async () => {
    const ref = next();
    const rows = [-(2 ** 31), 1, 2, -(2 ** 31) + 1].map((staff, index) => company(`c${index}`, { staff }));
    await store.create(ref, schema);
    const source = { kind: 'rows', batches: batches([...rows, company('c4', { cents: -(2n ** 63n) })]) } as const;
    await expect(store.load(ref, Company, source, loading)).rejects.toMatchObject({
      code: 'rejected-rows',
      rejects: [{ reason: 'cast', count: 2, examples: ['c0', 'c4'] }],
    });
    await store.drop(ref);
  });

  it('loads more rows than one file holds, nodes before the relationships that were given at once', async () => {
    const ref = next();
    const count = 60_000;
    const companies = (from: number): AnalyticalRow[] =>
      Array.from({ length: 5_000 }, (_, index) => company(`c${from + index}`, { name: 'Name '.repeat(100) }));
    async function* nodes(): AsyncGenerator<readonly AnalyticalRow[]> {
      for (let from = 0; from < count; from += 5_000) yield companies(from);
    }
    const edges = Array.from({ length: count - 1 }, (_, index) => ({ from: `c${index}`, to: `c${index + 1}` }));
    await store.create(ref, schema);
    const reports = await Promise.all([
      store.load(ref, Company, { kind: 'rows', batches: nodes() }, loading),
      store.load(ref, Owns, { kind: 'rows', batches: batches(edges) }, loading),
    ]);
    expect(reports).toMatchObject([
      { rows_in: count, rows_loaded: count, rejects: [] },
      { rows_in: count - 1, rows_loaded: count - 1, rejects: [] },
    ]);
    await store.promote(ref);
    expect(await ask(store, ref, 'MATCH (:Company)-[o:OWNS]->(:Company) RETURN count(o)')).toEqual([[count - 1]]);
    expect(await readdir(folder)).toEqual([`kg1.g${ref.generation}.lbug`]);
    await store.drop(ref);
  });

  it('copies a table that is longer than a chunk in several transactions, each row once (graphs M-11)', async () => {
    const ref = next();
    const count = 1_000;
    const companies = Array.from({ length: count }, (_, index) => company(`c${index}`));
    // Equal relationships, and a company with many of them, stay as they are.
    const edges = Array.from({ length: count }, (_, index) => ({ from: 'c0', to: `c${index % 400}` }));
    await store.create(ref, schema);
    const path = join(folder, `kg1.g${ref.generation}.lbug`);
    const { bufferPoolBytes, maxDatabaseBytes, maxMemoryBytes } = defaults;
    const request = { path, mode: 'write', bufferPoolBytes, maxDatabaseBytes, threads: 2 } as const;
    const worker = await EngineProcess.start(request, { maxMemoryBytes, isLoading: true });
    const load = async (table: typeof Company | typeof Owns, rows: readonly AnalyticalRow[], chunkRows: number) => {
      const source = { kind: 'rows', batches: batches(rows) } as const;
      return worker.call('loadEnd', { load: await stageTable(worker, path, table, source, { ...loading, chunkRows }) });
    };
    const all = { rows_in: count, rows_loaded: count, rejects: [] };
    expect(await load(Company, companies, 300)).toEqual({ ...all, chunks: 4 });
    expect(await load(Owns, edges, 999)).toEqual({ ...all, chunks: 2 });
    await worker.close();
    const degrees = 'MATCH (:Company)-[o:OWNS]->(c:Company) RETURN count(o), count(DISTINCT c.identifier)';
    expect(await ask(store, ref, degrees)).toEqual([[count, 400]]);
    expect(await ask(store, ref, 'MATCH (c:Company) RETURN count(DISTINCT c.identifier)')).toEqual([[count]]);
    await store.drop(ref);
  });

  it('ends before the next chunk when it is canceled (graphs M-11)', async () => {
    const ref = next();
    await store.create(ref, schema);
    await store.promote(ref);
    const path = join(folder, `${ref.graphId}.g${ref.generation}.lbug`);
    const { bufferPoolBytes, maxDatabaseBytes, maxMemoryBytes } = defaults;
    const request = { path, mode: 'write', bufferPoolBytes, maxDatabaseBytes, threads: 2 } as const;
    const worker = await EngineProcess.start(request, { maxMemoryBytes, isLoading: true });
    const rows = Array.from({ length: 40 }, (_, index) => company(`c${index}`));
    const source = { kind: 'rows', batches: batches(rows) } as const;
    const load = await stageTable(worker, path, Company, source, { ...loading, chunkRows: 1 });
    const canceling = new AbortController();
    const ended = endLoad(worker, load, canceling.signal);
    canceling.abort();
    await expect(ended).rejects.toMatchObject({ code: 'cancelled' });
    await worker.close();
    await store.drop(ref);
  });

  it('copies a table as long as a chunk at once, and refuses a longer one as a whole (graphs M-11, M-24)', async () => {
    const ref = next();
    const rows = Array.from({ length: 20 }, (_, index) => company(`c${index}`));
    await store.create(ref, schema);
    const load = (given: readonly AnalyticalRow[]) =>
      store.load(ref, Company, { kind: 'rows', batches: batches(given) }, { ...loading, chunkRows: 20 });
    await expect(load([...rows, company('c7')])).rejects.toMatchObject({ code: 'rejected-rows' });
    expect(await ask(store, ref, 'MATCH (c:Company) RETURN count(*)')).toEqual([[0]]);
    expect(await load(rows)).toEqual({ rows_in: 20, rows_loaded: 20, rejects: [] });
    await store.drop(ref);
  });

  it('ends a load that is canceled between two batches, and removes its files with the generation', async () => {
    const ref = next();
    const canceling = new AbortController();
    async function* nodes(): AsyncGenerator<readonly AnalyticalRow[]> {
      yield [company('a')];
      canceling.abort();
      yield [company('b')];
    }
    await store.create(ref, schema);
    const load = store.load(ref, Company, { kind: 'rows', batches: nodes() }, { ...loading, signal: canceling.signal });
    await expect(load).rejects.toMatchObject({ code: 'cancelled' });
    await store.drop(ref);
    expect(await readdir(folder)).toEqual([]);
  });
});
