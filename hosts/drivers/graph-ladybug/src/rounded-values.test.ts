import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GraphStore } from '@pacioli/core/ports';
import { ask, running } from '@pacioli/graph-statements/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ladybugGraphStore } from './index.ts';

const columns = [
  { name: 'id', type: 'INT64' },
  { name: 'price', type: 'DECIMAL(18,2)' },
];

describe('a number that its property would round', () => {
  const ref = { graphId: 'kg1_rounded', generation: 1 };
  let folder: string;
  let store: GraphStore;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pacioli-rounded-'));
    store = ladybugGraphStore({ folder });
    const node = { kind: 'node', extension: 'custom', name: 'Item', key: 'id', columns } as const;
    await store.create(ref, { nodes: [node], relationships: [] });
    const made = await store.write(ref, 'UNWIND [1, 2, 3] AS i CREATE (:Item {id: i, price: 1.25})', {}, running());
    await made.cancel();
  });
  afterAll(async () => {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  });

  it.each([
    ['MATCH (n:Item {id: $k}) DELETE n', { k: 2.4 }],
    ['MERGE (n:Item {id: 1.4}) SET n.price = 0', {}],
    ['MATCH (n:Item {id: 1}) SET n.price = $p', { p: 1.239 }],
    ['CREATE (:Item {id: 7.5})', {}],
  ])('is refused, and nothing is written: %s (graphs Q-45a, T-6)', async (text, parameters) => {
    await expect(store.write(ref, text, parameters, running())).rejects.toMatchObject({
      code: 'runtime',
      message: expect.stringMatching(
        /^(id is INT64|price is DECIMAL\(18, ?2\)), which cannot hold [\d.]+ without rounding it\./,
      ),
    });
    expect(await ask(store, ref, 'MATCH (n:Item) RETURN n.id, cast(n.price AS STRING) ORDER BY n.id')).toEqual([
      [1, '1.25'],
      [2, '1.25'],
      [3, '1.25'],
    ]);
  });

  it('is refused in a pattern that reads, and compared exactly by WHERE (graphs Q-45a)', async () => {
    await expect(ask(store, ref, 'MATCH (n:Item {id: 2.4}) RETURN n.id')).rejects.toMatchObject({ code: 'runtime' });
    expect(await ask(store, ref, 'MATCH (n:Item) WHERE n.id = 2.4 RETURN n.id')).toEqual([]);
    expect(await ask(store, ref, 'MATCH (n:Item {id: 2}) WHERE n.price = 1.25 RETURN n.id')).toEqual([[2]]);
  });
});
