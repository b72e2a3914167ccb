/** @module-tag sessions */
import { sql } from '@pacioli/core';
import graphPlugin from '@pacioli/graph';
import { type Answer, joinTeam, startTestService, type TestClient } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GraphMemory, type MemoryTestService, memoryOf, refusalOf, startMemory } from './memory-service.ts';

let run: MemoryTestService;
let graph: string;
let memory: GraphMemory;
let stored: Answer['body'];
beforeAll(async () => {
  run = await startMemory({ others: [graphPlugin] });
  graph = await run.owner.createGraph('Harbour', []);
  memory = memoryOf(run.owner, graph);
  stored = (await memory.remember('The harbour office invoices in euros.', { source: 'mcp' })).body.result;
});
afterAll(() => run.service.close());

/** All calls on memories: three that write, then three that read. */
const callsOf = (of: GraphMemory, id = stored.id): readonly (() => Promise<Answer>)[] => [
  () => of.remember('Written by somebody else.'),
  () => of.update(id, { text: 'Changed by somebody else.' }),
  () => of.forget(id),
  () => of.get(id),
  () => of.list(),
  () => of.recall('office'),
];

async function statusesOf(of: GraphMemory): Promise<readonly number[]> {
  const statuses: number[] = [];
  for (const call of callsOf(of)) statuses.push((await call()).status);
  return statuses;
}

async function withRole(role: string): Promise<TestClient> {
  const { client, userId } = await joinTeam(run.service, run.owner);
  await run.owner.post(`/v1/graphs/${graph}/members`, { user_id: userId, role });
  return client;
}

describe('memories', () => {
  it('are read by viewers and changed by members (ME-3)', async () => {
    expect(await statusesOf(memoryOf(await withRole('viewer'), graph))).toEqual([403, 403, 403, 200, 200, 200]);
    expect((await memory.list()).body.memories).toEqual([stored]);
    const member = memoryOf(await withRole('member'), graph);
    const { id } = (await member.remember('A member remembers.')).body.result;
    expect((await member.update(id, { tags: ['m'] })).status).toBe(200);
    expect((await member.forget(id)).body.result.deleted).toBe(true);
  });

  it('are out of reach for other tenants, by their graph and by their id (ME-3, graphs I-3)', async () => {
    const stranger = await run.service.newUser('Sam');
    expect(await statusesOf(memoryOf(stranger, graph))).toEqual([403, 403, 403, 403, 403, 403]);
    const own = memoryOf(stranger, await stranger.createGraph('Elsewhere', []));
    expect((await own.get(stored.id)).status).toBe(404);
    for (const id of ['%00', `${stored.id}%00`])
      expect(refusalOf(await memory.get(id))).toEqual([404, 'Memory not found']);
    expect(refusalOf(await own.update(stored.id, { text: 'Mine' }))).toEqual([404, 'Memory not found']);
    expect((await own.forget(stored.id)).body.result).toEqual({ id: stored.id, deleted: false });
    expect((await own.list()).body).toMatchObject({ total: 0, memories: [] });
    expect((await own.recall('harbour office invoices euros')).body.hits).toEqual([]);
    expect((await memory.get(stored.id)).body).toEqual(stored);
  });

  it('are reached by a key of their graph, and by no key of another one (platform K-3)', async () => {
    const keyOf = async (graphId: string) => {
      const { key } = (await run.owner.post('/v1/user/api-keys', { name: graphId, graph_id: graphId })).body;
      return memoryOf(run.service.anonymous.withHeaders({ 'x-api-key': key }), graph);
    };
    const other = await run.owner.createGraph('Other', []);
    expect(await statusesOf(await keyOf(other))).toEqual([403, 403, 403, 403, 403, 403]);
    const own = await keyOf(graph);
    expect((await own.recall('harbour office')).body.hits).toMatchObject([{ document_id: stored.id }]);
    const { id } = (await own.remember('By a key.')).body.result;
    expect((await own.forget(id)).body.result.deleted).toBe(true);
  });

  it('are not stored on subgraphs, where old ones can still be found and removed (ME-2, graphs SG-10)', async () => {
    const made = await run.owner.post(`/v1/graphs/${graph}/operations/create-subgraph`, {
      name: 'trial',
      display_name: 'Trial',
      subgraph_type: 'empty',
    });
    const subgraphId = made.body.result.graph_id;
    const trial = memoryOf(run.owner, subgraphId);
    const message = 'Subgraphs do not hold memories; store them on the parent graph.';
    for (const refused of [
      await trial.remember('Here?'),
      await trial.update(stored.id, {}),
      await trial.remember('', { tags: 7 }),
    ])
      expect(refusalOf(refused)).toEqual([403, message]);
    expect((await trial.list()).body.total).toBe(0);
    expect((await trial.recall('harbour office')).body.hits).toEqual([]);
    await run.service.store.transaction({ graphId: subgraphId }, (tx) =>
      tx.query(sql`
        INSERT INTO memory_record (graph_id, id, text, text_key, source, memory_type, created_by, created_at, updated_at)
        VALUES (${subgraphId}, 'mem_old', 'An old berth', 'old', 'api', 'note', 'user', now(), now())`),
    );
    expect((await trial.recall('old berth')).body.hits).toMatchObject([{ document_id: 'mem_old' }]);
    expect((await trial.get('mem_old')).status).toBe(200);
    expect((await trial.forget('mem_old')).body.result.deleted).toBe(true);
    // A key of the subgraph does not reach the memories of its parent.
    const { key } = (await run.owner.post('/v1/user/api-keys', { name: 'trial', graph_id: subgraphId })).body;
    expect(typeof key).toBe('string');
    const keyed = memoryOf(run.service.anonymous.withHeaders({ 'x-api-key': key }), graph);
    expect(await statusesOf(keyed)).toEqual([403, 403, 403, 403, 403, 403]);
  });

  it('are refused on shared repositories with 403 and in the library with 404 (ME-2, graphs G-4)', async () => {
    const message = 'Content operations are not available on shared repositories';
    expect(await statusesOf(memoryOf(run.owner, 'library'))).toEqual([404, 404, 404, 404, 404, 404]);
    expect(await statusesOf(memoryOf(run.owner, 'sec'))).toEqual([403, 403, 403, 403, 403, 403]);
    const repository = await run.owner.createGraph('Filings', []);
    await run.service.store.transaction('kernel', (tx) =>
      tx.query(sql`UPDATE kernel_graph SET graph_type = 'repository' WHERE graph_id = ${repository}`),
    );
    for (const call of callsOf(memoryOf(run.owner, repository)))
      expect(refusalOf(await call())).toEqual([403, message]);
  });

  it('are not changed while the subscription blocks writes, and are read (ME-3, platform P-7)', async () => {
    const blocked = await run.owner.createGraph('Unpaid', []);
    const own = memoryOf(run.owner, blocked);
    await own.remember('Before the block.');
    await run.service.store.transaction('kernel', (tx) =>
      tx.query(sql`UPDATE kernel_graph SET write_block = 'canceled' WHERE graph_id = ${blocked}`),
    );
    // Rights are cached for as long as the clock says.
    run.clock.advance(60_000);
    expect(await statusesOf(own)).toEqual([403, 403, 403, 404, 200, 200]);
  });

  it('are removed with their graph (D-33)', async () => {
    const gone = await run.owner.createGraph('Gone', []);
    await memoryOf(run.owner, gone).remember('Nobody remembers.');
    const rows = () =>
      run.service.store.transaction({ graphId: gone }, async (tx) => [
        ...(await tx.query(sql`SELECT graph_id FROM memory_record`)),
        ...(await tx.query(sql`SELECT graph_id FROM memory_vector_state`)),
      ]);
    expect(await rows()).toHaveLength(2);
    await run.service.store.removeGraph(
      gone,
      [
        {
          owner: 'memory',
          folder: new URL('../src/migrations/', import.meta.url),
          tables: { memory_vector_state: { kernelScope: 'read' } },
        },
      ],
      new AbortController().signal,
    );
    expect(await rows()).toEqual([]);
  });
});

describe('list-memories', () => {
  it('returns pages, newest first, with the total of all that match (ME-8)', async () => {
    const listed = memoryOf(run.owner, await run.owner.createGraph('Listed', []));
    const ids: string[] = [];
    for (const [index, source] of ['mcp', 'api', 'mcp'].entries()) {
      run.clock.advance(1_000);
      ids.unshift(
        (await listed.remember(`Text ${index}`, { source, memory_type: index === 2 ? 'fact' : 'note' })).body.result.id,
      );
    }
    const page = async (query: string) => {
      const { body } = await listed.list(query);
      return [body.total, body.memories.map(({ id }: { readonly id: string }) => ids.indexOf(id))];
    };
    expect(await page('')).toEqual([3, [0, 1, 2]]);
    expect(await page('?limit=1&offset=1')).toEqual([3, [1]]);
    expect(await page('?source=mcp')).toEqual([2, [0, 2]]);
    expect(await page('?source=mcp&memory_type=note')).toEqual([1, [2]]);
    expect(await page('?memory_type=Note')).toEqual([0, []]);
    expect(await page('?offset=3')).toEqual([3, []]);
  });

  it.each([
    ['?limit=500', 200],
    ['?limit=501', 422],
    ['?limit=0', 422],
    ['?offset=-1', 422],
    ['?offset=1000000000', 200],
    ['?offset=1000000001', 422],
    ['?limit=ten', 422],
    ['?source=%00', 422],
  ])('answers %s with %i (ME-4)', async (query, status) => {
    expect((await memory.list(query)).status).toBe(status);
  });
});

describe('semantic memory', () => {
  it('answers 503 to everybody who has the role while it is switched off (ME-2)', async () => {
    const off = await startMemory({ settings: { enabled: false } });
    try {
      const graphId = await off.owner.createGraph('Off', []);
      const calls = [...callsOf(memoryOf(off.owner, graphId)), () => memoryOf(off.owner, graphId).recall('')];
      for (const call of calls) expect(refusalOf(await call())).toEqual([503, 'Semantic memory is not enabled']);
      const malformed = await off.owner.post(`/v1/graphs/${graphId}/operations/remember`, {});
      expect(refusalOf(malformed)).toEqual([503, 'Semantic memory is not enabled']);
      expect(await statusesOf(memoryOf(await off.service.newUser('Sam'), graphId))).toEqual([
        403, 403, 403, 403, 403, 403,
      ]);
    } finally {
      await off.service.close();
    }
  });

  it('is unknown to a deployment without the plugin', async () => {
    const without = await startTestService({ plugins: [graphPlugin] });
    try {
      const owner = await without.newUser('Ann');
      expect(await statusesOf(memoryOf(owner, await owner.createGraph('None', [])))).toEqual([
        404, 404, 404, 404, 404, 404,
      ]);
    } finally {
      await without.close();
    }
  });
});
