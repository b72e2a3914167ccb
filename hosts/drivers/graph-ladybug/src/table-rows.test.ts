import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type AnalyticalRow,
  defineNode,
  defineRelationship,
  type GraphStore,
  GraphStoreError,
  type ResultRow,
} from '@pacioli/core/ports';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ladybugGraphStore } from './index.ts';
import { tableRows } from './table-rows.ts';

const Person = defineNode('Person', { properties: { name: 'STRING' } });
const Knows = defineRelationship('KNOWS', Person, Person, { properties: { since: 'INT64' } });
const ref = { graphId: 'kg00000000000000000077', generation: 1 };
const people = 25;
/** One person knows all others, and more than a page of them twice. */
const known = [
  ...Array.from({ length: 60 }, (_, number) => ({ from: 'p7', to: `p${number % people}`, since: number })),
  ...Array.from({ length: 9 }, (_, number) => ({ from: `p${number * 2}`, to: 'p1', since: 100 + number })),
];

async function* once(rows: readonly AnalyticalRow[]) {
  yield rows;
}

describe('the rows of a table', () => {
  let folder: string;
  let store: GraphStore;
  const signal = new AbortController().signal;
  const pages: number[] = [];
  /** Pages with more rows fail, as those do that are too wide for the memory. */
  let maxHeldRows = Number.POSITIVE_INFINITY;

  async function* run(statement: string): AsyncGenerator<readonly ResultRow[]> {
    const options = { timeoutMs: 60_000, maxRows: 1_000, rowsPerChunk: 4, signal };
    const chunks = [];
    for await (const chunk of await store.run(ref, statement, {}, options)) chunks.push(chunk);
    const rows = chunks.reduce((sum, { length }) => sum + length, 0);
    if (rows > maxHeldRows && !statement.includes('max(')) throw new GraphStoreError('memory', 'Too many rows.');
    yield* chunks;
    pages.push(rows);
  }
  const all = async (name: string, maxRows: number) => {
    const tables = await store.catalog(ref);
    const table = tables.find((each) => each.name === name);
    if (table === undefined) throw new Error(`There is no table ${name}.`);
    const rows: ResultRow[] = [];
    for await (const batch of tableRows(run, table, tables, maxRows)) rows.push(...batch);
    return rows;
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pacioli-rows-'));
    store = ladybugGraphStore({ folder });
    await store.create(ref, { nodes: [Person], relationships: [Knows] });
    const named = Array.from({ length: people }, (_, number) => ({ identifier: `p${number}`, name: `N${number}` }));
    await store.load(ref, Person, { kind: 'rows', batches: once(named) }, { maxRejects: 0, signal });
    await store.load(ref, Knows, { kind: 'rows', batches: once(known) }, { maxRejects: 0, signal });
    await store.promote(ref);
  });
  afterAll(async () => {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  });

  it.each([1, 4, 10, 1_000])('are read in pages of at most %i, each row once (graphs P-3)', async (maxRows) => {
    pages.splice(0);
    const nodes = await all('Person', maxRows);
    expect(nodes.map(([key]) => key).sort()).toEqual(
      Array.from({ length: people }, (_, number) => `p${number}`).sort(),
    );
    const numbers = (rows: readonly unknown[]) => rows.map(Number).sort((left, right) => left - right);
    const rows = await all('KNOWS', maxRows);
    expect(numbers(rows.map(([, , since]) => since))).toEqual(numbers(known.map(({ since }) => since)));
    expect(rows).toContainEqual(['p16', 'p1', 108]);
    expect(Math.max(...pages)).toBeLessThanOrEqual(maxRows);
  });

  it.each([1, 3, 20])(
    'are read in smaller pages where %i fill the memory, each row once (graphs P-3)',
    async (held) => {
      maxHeldRows = held;
      try {
        expect(new Set((await all('Person', 1_000)).map(([key]) => key)).size).toBe(people);
        const numbers = (await all('KNOWS', 1_000)).map(([, , since]) => Number(since));
        expect(numbers.sort((left, right) => left - right)).toEqual(
          known.map(({ since }) => since).sort((left, right) => left - right),
        );
      } finally {
        maxHeldRows = Number.POSITIVE_INFINITY;
      }
    },
  );

  it('fail when a single row fills the memory', async () => {
    maxHeldRows = 0;
    try {
      await expect(all('Person', 1_000)).rejects.toMatchObject({ code: 'memory' });
    } finally {
      maxHeldRows = Number.POSITIVE_INFINITY;
    }
  });
});
