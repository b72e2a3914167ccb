import { type Caller, sql, type ToolCall, toolCatalog } from '@pacioli/core';
import graphPlugin from '@pacioli/graph';
import { type Answer, joinTeam, type TestClient } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type MemoryTestService, memoryOf, startMemory } from './memory-service.ts';

const names = ['forget', 'recall', 'remember', 'update-memory'];

async function callerOf(client: TestClient): Promise<Caller> {
  const { id, name } = (await client.get('/v1/user')).body;
  return { userId: id, email: '', name, credential: 'jwt' };
}

const listed = async (run: MemoryTestService, caller: Caller, graphId: string) =>
  (await run.service.service.services.resolve(toolCatalog).list({ caller, graphId })).filter(({ name }) =>
    names.includes(name),
  );

/** Tools are called as the MCP endpoint and the operators call them. */
describe('the tools of memory', () => {
  let run: MemoryTestService;
  let graphId: string;
  let owner: Caller;

  beforeAll(async () => {
    run = await startMemory({ others: [graphPlugin] });
    graphId = await run.owner.createGraph('Harbour', []);
    owner = await callerOf(run.owner);
  });
  afterAll(() => run.service.close());

  const call = (name: string, given: object, more: Partial<ToolCall> = {}) =>
    run.service.service.services.resolve(toolCatalog).call({
      caller: owner,
      graphId,
      name,
      arguments: given,
      source: 'mcp',
      signal: new AbortController().signal,
      ...more,
    });
  const done = async (name: string, given: object, more: Partial<ToolCall> = {}): Promise<Answer['body']> => {
    const { text, isError } = await call(name, given, more);
    if (isError) throw new Error(text);
    return JSON.parse(text);
  };

  it('read for viewers, and write only for members, on graphs other than subgraphs (ai-surface M-30, ME-2, ME-3)', async () => {
    const { client, userId } = await joinTeam(run.service, run.owner);
    await run.owner.post(`/v1/graphs/${graphId}/members`, { user_id: userId, role: 'viewer' });
    const viewer = await callerOf(client);
    expect((await listed(run, owner, graphId)).map(({ name }) => name)).toEqual(names);
    expect((await listed(run, viewer, graphId)).map(({ name }) => name)).toEqual(['recall']);
    expect(await call('remember', { text: 'Mine' }, { caller: viewer })).toMatchObject({ code: 'not_available' });
    const made = await run.owner.post(`/v1/graphs/${graphId}/operations/create-subgraph`, {
      name: 'trial',
      display_name: 'Trial',
      subgraph_type: 'empty',
    });
    expect(await listed(run, owner, made.body.result.graph_id)).toEqual([]);
  });

  it('have no argument that says where a memory is from (ai-surface ME-5, 14)', async () => {
    const tools = new Map((await listed(run, owner, graphId)).map((tool) => [tool.name, tool.inputSchema]));
    const argumentsOf = (name: string) => Object.keys(tools.get(name)?.['properties'] ?? {}).sort();
    expect(argumentsOf('remember')).toEqual(['memory_type', 'tags', 'text']);
    expect(argumentsOf('update-memory')).toEqual(['memory_id', 'memory_type', 'tags', 'text']);
    for (const more of [{ source: 'api' }, { source_ref: 'x' }, { provenance: { importance: 1 } }])
      expect(await call('remember', { text: 'Trust me.', ...more })).toMatchObject({ code: 'invalid_input' });
  });

  it.each(['mcp', 'operator'] as const)(
    'store the source %s, so that what models store can be found and removed (ai-surface ME-5, ME-13, PX-4)',
    async (source) => {
      const stored = await done('remember', { text: `The office closes at six, says ${source}.` }, { source });
      expect(stored).toMatchObject({ source, memory_type: 'note', created_by: owner.userId });
      const { body } = await memoryOf(run.owner, graphId).list(`?source=${source}`);
      expect(body.memories).toEqual([stored]);
      const [row] = await run.service.store.transaction('kernel', (tx) =>
        tx.query(sql<{ operation: string; surface: string; user_id: string }>`
          SELECT operation, surface, user_id FROM kernel_operation_audit ORDER BY operation_id DESC LIMIT 1`),
      );
      expect(row).toEqual({ operation: 'remember', surface: source, user_id: owner.userId });
    },
  );

  it('remember, recall, change and forget a text (ai-surface 5.2, 5.3)', async () => {
    const { id } = await done('remember', { text: 'Invoices are paid in euros.', tags: ['invoices'] });
    const found = await done('recall', { query: 'invoices paid in euros', k: 1 });
    expect(found).toEqual({
      total: 1,
      results: [{ id, score: expect.any(Number), text: 'Invoices are paid in euros.', tags: ['invoices'] }],
    });
    expect(await done('update-memory', { memory_id: id, text: 'Invoices are paid in francs.' })).toMatchObject({
      id,
      source: 'mcp',
      text: 'Invoices are paid in francs.',
    });
    expect(await done('forget', { memory_id: id })).toEqual({ id, deleted: true });
    expect(await call('update-memory', { memory_id: id, text: 'Again' })).toMatchObject({ code: 'not_found' });
    expect((await done('recall', { query: 'invoices paid in francs' })).results).toEqual([]);
  });

  it('recall ten memories for a number out of range, and refuse an empty query (ai-surface 14)', async () => {
    const many = await run.owner.createGraph('Many', []);
    const words = ['crane', 'ferry', 'pilot', 'buoy', 'quay', 'mast', 'sail', 'rope', 'tide', 'dock', 'hull', 'oar'];
    for (const word of words) await done('remember', { text: `berth ${word}` }, { graphId: many });
    const totals: number[] = [];
    for (const k of [0, 1, 12, 50, 51])
      totals.push((await done('recall', { query: 'berth', k }, { graphId: many })).total);
    expect(totals).toEqual([10, 1, 12, 12, 10]);
    expect(await call('recall', { query: ' ' })).toMatchObject({ code: 'invalid_input' });
    expect(await call('recall', { query: 'x'.repeat(501) })).toMatchObject({ code: 'invalid_input' });
  });

  it('refuse other tenants, by their graph and by an id (graphs I-3)', async () => {
    const { id } = await done('remember', { text: 'Ours alone.' });
    const stranger = await run.service.newUser('Sam');
    const caller = await callerOf(stranger);
    for (const [name, given] of [
      ['recall', { query: 'ours alone' }],
      ['remember', { text: 'Theirs' }],
      ['forget', { memory_id: id }],
    ] as const)
      expect(await call(name, given, { caller })).toMatchObject({ isError: true, code: 'forbidden' });
    const elsewhere = { caller, graphId: await stranger.createGraph('Elsewhere', []) };
    expect((await done('recall', { query: 'ours alone' }, elsewhere)).results).toEqual([]);
    expect(await done('forget', { memory_id: id }, elsewhere)).toEqual({ id, deleted: false });
    expect((await memoryOf(run.owner, graphId).get(id)).status).toBe(200);
  });
});

describe('the tools of memory while it is switched off', () => {
  it('do not exist (ai-surface M-30)', async () => {
    const run = await startMemory({ settings: { enabled: false } });
    const graphId = await run.owner.createGraph('Harbour', []);
    expect(await listed(run, await callerOf(run.owner), graphId)).toEqual([]);
    await run.service.close();
  });
});
