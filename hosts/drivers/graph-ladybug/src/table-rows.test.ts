import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type AnalyticalRow,
  defineNode,
  defineRelationship,
  type GraphStore,
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

  async function* run(statement: string): AsyncGenerator<readonly ResultRow[]> {
    let rows = 0;
    for await (const chunk of await store.run(
      ref,
      statement,
      {},
      { timeoutMs: 60_000, maxRows: 1_000, rowsPerChunk: 4, signal },
    )) {
      rows += chunk.length;
      yield chunk;
    }
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
});
