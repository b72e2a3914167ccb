import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AnalyticalRow, GraphStore } from '@pacioli/core/ports';
import { ask, batches, build, Company, company, loading, Owns, schema } from '@pacioli/graph-statements/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ladybugGraphStore } from './index.ts';

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

  it.each([
    ['name', 7],
    ['staff', 2 ** 31],
    ['staff', 1.5],
    ['cents', 2 ** 53],
    ['cents', 2n ** 63n],
    ['share', '0.5'],
    ['listed', 'true'],
    ['founded', new Date(0)],
  ])('rejects a row whose %s is %s', async (column, value) => {
    const ref = next();
    // A plugin without types can give any value.
    await store.create(ref, schema);
    const load = store.load(
      ref,
      Company,
      { kind: 'rows', batches: batches([company('a', { [column]: value } as AnalyticalRow)]) },
      loading,
    );
    await expect(load).rejects.toMatchObject({ code: 'runtime', message: expect.stringContaining(`${column} is `) });
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
