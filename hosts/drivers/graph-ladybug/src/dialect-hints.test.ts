import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GraphStore } from '@pacioli/core/ports';
import { ask } from '@pacioli/graph-statements/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ladybugGraphStore } from './index.ts';

describe('a statement in a dialect that the engine does not have', () => {
  const ref = { graphId: 'kg1_hints', generation: 1 };
  let folder: string;
  let store: GraphStore;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pacioli-hints-'));
    store = ladybugGraphStore({ folder });
    const columns = [
      { name: 'id', type: 'STRING' },
      { name: 'xs', type: 'INT64[]' },
    ];
    const node = { kind: 'node', extension: 'custom', name: 'V', key: 'id', columns } as const;
    await store.create(ref, { nodes: [node], relationships: [] });
  });
  afterAll(async () => {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  });

  it.each([
    ['MATCH (v:V) RETURN v {.id}', 'Write each property with a name (n.a AS a) instead.'],
    ['MATCH (v:V) RETURN v{.*}', 'Write each property with a name (n.a AS a) instead.'],
    ['MATCH (v:V) RETURN [x IN v.xs | x]', 'Write list_transform(l, x -> f) or list_filter(l, x -> f) instead.'],
    ["RETURN toInteger('1') AS n", 'Write cast(x AS INT64) instead.'],
    ["RETURN toFloat('1') AS n", 'Write cast(x AS DOUBLE) instead.'],
    ['RETURN toString(1) AS n', 'Write cast(x AS STRING) instead.'],
    ["RETURN toBoolean('true') AS n", 'Write cast(x AS BOOL) instead.'],
    ['RETURN datetime() AS t', 'Write current_timestamp() or timestamp(text) instead.'],
    ["RETURN duration('P1D') AS d", "Write interval('1 day') instead."],
    ['CALL { MATCH (w:V) RETURN w } RETURN w.id', 'Write the inner clauses in the statement itself instead.'],
    ["MATCH (v:V) RETURN v['id'] AS id", 'Write the property after a point (n.name) instead.'],
  ])('is refused with its replacement (graphs 21.4): %s', async (statement, hint) => {
    await expect(ask(store, ref, statement)).rejects.toMatchObject({ message: expect.stringContaining(hint) });
  });

  it.each(["RETURN 'toInteger( [x IN l] CALL {' AS a RETURN", 'RETURN nothing(1) AS n', 'RETURN missing'])(
    'is not what another error is taken for (graphs 21.4): %s',
    async (statement) => {
      await expect(ask(store, ref, statement)).rejects.toMatchObject({ message: expect.not.stringContaining('Write') });
    },
  );
});
