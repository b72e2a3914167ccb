import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ask, running } from '@pacioli/graph-statements/testing';
import { describe, expect, it } from 'vitest';
import { requireOrderedAggregates } from './distinct-aggregates.ts';
import { ladybugGraphStore } from './index.ts';

describe('an aggregate after one with DISTINCT', () => {
  it.each([
    'MATCH (t:T) RETURN t.g AS g, count(DISTINCT t.k) AS d, sum(t.v) AS s ORDER BY g',
    'MATCH (t:T) RETURN count( distinct t.k) AS d, COUNT(*) AS n, t.g AS g',
    'MATCH (t:T) RETURN t.g AS g, count(DISTINCT t.k) + count(*) AS d',
    'MATCH (t:T) WITH t.g AS g, collect(DISTINCT t.k) AS d, max(t.v) AS m WHERE m > 1 RETURN g, d, m',
    'MATCH (t:T) RETURN 1 AS one, count(DISTINCT t.k) AS d, sum(t.k) AS n',
    'MATCH (t:T) RETURN t.g AS g, [sum(t.v), count(DISTINCT t.k), sum(t.k)] AS n',
  ])('is refused where rows are grouped: %s', (statement) => {
    expect(() => requireOrderedAggregates(statement)).toThrow(/aggregates with DISTINCT last/);
  });

  it.each([
    'MATCH (t:T) RETURN t.g AS g, sum(t.v) AS s, count(DISTINCT t.k) AS d, count(DISTINCT t.id) AS e ORDER BY g',
    'MATCH (t:T) RETURN count(DISTINCT t.k) AS d, sum(t.v) AS s',
    'MATCH (t:T) RETURN t.g AS g, count(DISTINCT t.k) AS d',
    'MATCH (t:T) WITH t.g AS g, count(DISTINCT t.k) AS d RETURN d, sum(d) AS s',
    "MATCH (t:T) WHERE t.g STARTS WITH 'a' RETURN DISTINCT t.g AS g, count(*) AS n",
    'MATCH (t:T) RETURN "count(DISTINCT x), sum(y)", t.g',
  ])('leaves other statements alone: %s', (statement) => {
    expect(() => requireOrderedAggregates(statement)).not.toThrow();
  });

  it('is refused by the store, and right in the other order', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pacioli-aggregates-'));
    const store = ladybugGraphStore({ folder });
    try {
      const ref = { graphId: 'kg1_aggregates', generation: 1 };
      const columns = ['id', 'group', 'size'].map((name) => ({ name, type: 'INT64' as const }));
      const node = { kind: 'node', extension: 'custom', name: 'Item', key: 'id', columns } as const;
      await store.create(ref, { nodes: [node], relationships: [] });
      const filled = 'UNWIND range(1, 9) AS i CREATE (:Item {id: i, `group`: i % 3, size: i % 2})';
      await (await store.write(ref, filled, {}, running())).cancel();
      const grouped = (list: string) => `MATCH (n:Item) RETURN n.\`group\` AS part, ${list} ORDER BY part`;
      const wrong = ask(store, ref, grouped('count(DISTINCT n.size) AS sizes, count(*) AS items'));
      await expect(wrong).rejects.toMatchObject({ code: 'runtime' });
      const right = await ask(store, ref, grouped('count(*) AS items, count(DISTINCT n.size) AS sizes'));
      expect(right).toEqual([0, 1, 2].map((part) => [part, 3, 2]));
    } finally {
      await store.close();
      await rm(folder, { recursive: true, force: true });
    }
  });
});
