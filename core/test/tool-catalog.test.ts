import { type Caller, sql, type ToolCall, toolCatalog } from '@pacioli/core';
import { fixedClock, startTestService, type TestClient, type TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { KernelOperationAudit } from '../src/rows.gen.ts';
import { notesPlugin } from './notes-plugin.ts';
import { shelf, shelfPlugin } from './shelf-plugin.ts';

const clock = fixedClock('2026-03-02T09:00:00Z');

let service: TestService;
let graphId: string;
let owner: Caller;
let viewer: Caller;

beforeAll(async () => {
  service = await startTestService({ plugins: [notesPlugin, shelfPlugin], clock });
  const user: TestClient = await service.newUser('Ann');
  graphId = await user.createGraph('Notes', ['notes']);
  const vic = await service.newUser('Vic');
  owner = { userId: await idOf(user), email: '', name: 'Ann', credential: 'api_key', keyPrefix: 'rfs12345' };
  viewer = { ...owner, userId: await idOf(vic), name: 'Vic', keyPrefix: 'rfs99999' };
  await service.store.transaction('kernel', (tx) =>
    tx.query(sql`
      INSERT INTO kernel_graph_user (graph_id, user_id, role, created_at)
      VALUES (${graphId}, ${viewer.userId}, 'viewer', ${clock.now()})`),
  );
});
afterAll(() => service.close());

const idOf = async (client: TestClient): Promise<string> => (await client.get('/v1/user')).body.id;

const catalog = () => service.service.services.resolve(toolCatalog);
const namesFor = async (caller: Caller, profile?: string): Promise<readonly string[]> =>
  (await catalog().list({ caller, graphId, ...(profile === undefined ? {} : { profile }) })).map(({ name }) => name);
const call = (name: string, given: unknown = {}, more: Partial<ToolCall> = {}) =>
  catalog().call({
    caller: owner,
    graphId,
    name,
    arguments: given,
    source: 'mcp',
    signal: new AbortController().signal,
    ...more,
  });

const errorOf = (text: string): Record<string, unknown> => JSON.parse(text);

describe('the list of tools', () => {
  it('has operations, views and hand-written tools by name, and hides writes from a viewer (ai-surface M-30)', async () => {
    const reads = [
      'break-shelf',
      'count-notes',
      'count-shelf',
      'get-graphql-schema',
      'list-notes',
      'print-shelf',
      'query-graphql',
    ];
    expect(await namesFor(owner)).toEqual(
      [...reads, 'add-note', 'bind-notebook', 'copy-notes', 'fill-shelf', 'label-shelf'].sort(),
    );
    expect(await namesFor(viewer)).toEqual(reads);
  });

  it('leaves out a tool that is switched off, and everything on a profile of another domain (ai-surface M-52)', async () => {
    shelf.isOn = false;
    expect(await namesFor(owner)).not.toContain('count-shelf');
    expect(await namesFor(owner)).not.toContain('label-shelf');
    expect(await call('label-shelf', { label: 'A' })).toMatchObject({ code: 'not_available' });
    shelf.isOn = true;
    expect(await namesFor(owner, 'notes')).toContain('add-note');
    expect(await namesFor(owner, 'ledger')).toEqual([]);
  });

  it('is one and the same for equal sets of tools, and another at the first request after a switch (ai-surface M-20c)', async () => {
    const first = await catalog().list({ caller: owner, graphId });
    expect(await catalog().list({ caller: { ...owner }, graphId })).toBe(first);
    expect(await catalog().list({ caller: viewer, graphId })).not.toBe(first);
    shelf.isOn = false;
    const without = await catalog().list({ caller: owner, graphId });
    shelf.isOn = true;
    expect(without.length).toBe(first.length - 2);
    expect(await catalog().list({ caller: owner, graphId })).toBe(first);
  });

  it('refuses a caller without a role on the graph (platform P-8)', async () => {
    await expect(catalog().list({ caller: { ...owner, userId: 'user_x' }, graphId })).rejects.toMatchObject({
      kind: 'forbidden',
    });
  });

  it('describes a tool by its title, its hints and a closed schema with the path parameters (ai-surface M-38)', async () => {
    const tools = await catalog().list({ caller: owner, graphId });
    expect(tools.find(({ name }) => name === 'bind-notebook')).toEqual({
      name: 'bind-notebook',
      title: 'Bind notebook',
      description: 'Binds a notebook on the worker, unless it is empty. Binds a notebook.',
      inputSchema: {
        type: 'object',
        properties: { notebook_id: { type: 'string', minLength: 1 }, color: { type: 'string' } },
        required: ['notebook_id'],
        additionalProperties: false,
      },
      annotations: {
        title: 'Bind notebook',
        readOnlyHint: false,
        destructiveHint: true,
        idempotentHint: false,
        openWorldHint: false,
      },
      effect: 'destructive',
      confirmation: 'Binds the notebook for good.',
      isLong: true,
      startsRun: true,
      mayStartRun: false,
    });
  });
});

describe('a call of a tool', () => {
  it('returns the result of an operation and of a view as JSON, and records the operation as of MCP (ai-surface M-15)', async () => {
    const added = await call('add-note', { text: 'first' });
    expect(added).toMatchObject({ isError: false, operationId: expect.stringMatching(/^op_/) });
    expect(errorOf(added.text)).toMatchObject({ text: 'first' });
    expect(errorOf((await call('count-notes')).text)).toEqual({ count: 1 });
    expect(await auditOf('add-note')).toEqual([{ surface: 'mcp', status: 'completed', key_prefix: 'rfs12345' }]);
  });

  it('leaves out arguments that only REST has, and tells the operation how it was called (ai-surface M-31)', async () => {
    const tools = await catalog().list({ caller: owner, graphId });
    const { inputSchema } = tools.find(({ name }) => name === 'label-shelf') ?? {};
    expect(inputSchema).toMatchObject({ properties: { label: { type: 'string' } }, required: ['label'] });
    expect(inputSchema?.['properties']).not.toHaveProperty('author');
    expect((await call('label-shelf', { label: 'A', author: 'Ann' })).code).toBe('invalid_input');
    for (const source of ['mcp', 'operator'] as const)
      expect(errorOf((await call('label-shelf', { label: 'A' }, { source })).text)).toEqual({
        surface: source,
        prepared: source,
      });
  });

  it('calls an operation once for one idempotency key (ai-surface M-36)', async () => {
    const first = await call('add-note', { text: 'once' }, { idempotencyKey: 'k1' });
    const second = await call('add-note', { text: 'once' }, { idempotencyKey: 'k1' });
    expect(second.text).toBe(first.text);
  });

  it('waits for a run and reports its progress, or returns as soon as it is queued (ai-surface M-20e)', async () => {
    const heard: string[] = [];
    const waited = await call('bind-notebook', { notebook_id: 'n1' }, { progress: (message) => heard.push(message) });
    expect(errorOf(waited.text)).toEqual({ bound: 'n1' });
    expect(heard.length).toBeGreaterThan(0);
    const started = await call('bind-notebook', { notebook_id: 'n2' }, { runs: 'start' });
    expect(started).toMatchObject({ isError: false, isPending: true, operationId: expect.stringMatching(/^op_/) });
  });

  it('returns the error of a run that fails, and the question of one that waits (ai-surface M-34)', async () => {
    expect(errorOf((await call('copy-notes', { steps: 5 })).text)).toMatchObject({
      error: 'invalid_input',
      message: 'Five steps are too many.',
    });
    const asked = await call('copy-notes', { steps: 1, ask: true });
    expect(asked.isPending).toBe(true);
    expect(errorOf(asked.text)).toMatchObject({ status: 'awaiting_input', input_request: { prompt: 'Which color?' } });
  });

  it('refuses unlisted tools, also those that the caller may not use (ai-surface M-35)', async () => {
    const text = "Tool 'nothing' is not available on this connection.";
    expect(await call('nothing')).toEqual({ isError: true, code: 'not_available', text });
    expect(await call('add-note', { text: 'x' }, { caller: viewer })).toMatchObject({ code: 'not_available' });
    // A tool that writes needs the role of a writer, although its definition says viewer (ai-surface M-33).
    expect(await call('fill-shelf', { id: 'v' }, { caller: viewer })).toMatchObject({ code: 'not_available' });
    expect(await call('count-notes', {}, { caller: { ...owner, userId: 'user_x' } })).toMatchObject({
      code: 'forbidden',
    });
  });

  it('refuses a graph_id and unknown, missing or invalid arguments with a sentence (ai-surface M-32)', async () => {
    const refusals = await Promise.all([
      call('add-note', { graph_id: 'kg1', text: 'x' }),
      call('add-note', { text: 'x', colour: 'red' }),
      call('add-note', {}),
      call('bind-notebook', {}),
      call('add-note', ['x']),
    ]);
    expect(refusals.map(({ code }) => code)).toEqual(Array(5).fill('invalid_input'));
    expect(refusals.map(({ text }) => errorOf(text)['message'])).toEqual([
      'graph_id is not an argument: the graph is that of this connection. Call the tool without it.',
      expect.stringMatching(/^colour: Extra inputs are not permitted\. The arguments are: .*\btext\b/),
      'text: Field required',
      'notebook_id: Field required',
      'arguments: Expected an object.',
    ]);
  });

  it('names the code of a refusal in snake case, and hides an unexpected failure (ai-surface M-34)', async () => {
    expect(errorOf((await call('add-note', { text: 'refuse' })).text)).toEqual({
      error: 'note_refused',
      message: 'This note is refused.',
    });
  });

  it('sends a structured result of a declared form, and masks tax ids (ai-surface M-37, PX-10)', async () => {
    const result = await call('count-shelf', { size: 3 });
    expect(result.structured).toEqual({ count: 3, tax_id: '…6789' });
    expect(errorOf(result.text)).toEqual(result.structured);
  });

  it('refuses a GraphQL document that asks for a tax id under another name (ai-surface PX-10)', async () => {
    const refused = await call('query-graphql', { query: '{ noteList { y: taxId } }' }, { caller: viewer });
    expect(refused).toMatchObject({ isError: true, code: 'invalid_input' });
    expect(refused.text).toContain('taxId is masked by its name.');
  });

  it('cuts a text at 200,000 characters and says so (ai-surface 5.4)', async () => {
    expect(await call('print-shelf', { length: 200_000 })).toEqual({ isError: false, text: 'x'.repeat(200_000) });
    const cut = await call('print-shelf', { length: 200_001 });
    expect(cut.truncated).toBe(true);
    expect(cut.text.slice(200_000)).toBe('… [truncated; 200001 chars total]');
  });

  it('stores the audit row of a hand-written write with it, and that of a refusal without it (ai-surface M-15)', async () => {
    expect(errorOf((await call('fill-shelf', { id: 'n1' })).text)).toEqual({ id: 'n1' });
    expect(await call('fill-shelf', { id: 'n2', fails: true })).toMatchObject({ code: 'shelf_full' });
    expect(await auditOf('fill-shelf')).toEqual([
      { surface: 'mcp', status: 'completed', key_prefix: 'rfs12345' },
      { surface: 'mcp', status: 'refused', key_prefix: 'rfs12345' },
    ]);
  });

  it('spares a tool after five outages in a row, and tries again after a minute (ai-surface M-14)', async () => {
    shelf.isFailing = true;
    for (let turn = 0; turn < 5; turn += 1) expect((await call('break-shelf')).code).toBe('shelf_broken');
    expect((await call('break-shelf')).text).toBe('Tool temporarily unavailable, retry in 60 s.');
    clock.advance(60_000);
    expect((await call('break-shelf')).code).toBe('shelf_broken');
    expect((await call('break-shelf')).code).toBe('unavailable');
    clock.advance(60_000);
    shelf.isFailing = false;
    expect((await call('break-shelf')).isError).toBe(false);
    expect((await call('break-shelf')).isError).toBe(false);
  });

  it('is counted by tool and outcome, an unknown name as unknown (ai-surface M-15)', async () => {
    const numberOf = async (labels: string) => {
      const text = await (await fetch(`${service.url}/metrics`)).text();
      const line = text.split('\n').find((each) => each.startsWith(`pacioli_tool_calls_total{${labels}}`));
      return Number(line?.split(' ').at(-1) ?? 0);
    };
    const labels = [
      'tool="count-shelf",outcome="success"',
      'tool="count-shelf",outcome="error"',
      'tool="unknown",outcome="error"',
    ];
    const before = await Promise.all(labels.map(numberOf));
    await call('count-shelf');
    await call('count-shelf', { size: 0 });
    await call('a-text-of-a-caller');
    expect(await Promise.all(labels.map(numberOf))).toEqual(before.map((count) => count + 1));
    expect(await (await fetch(`${service.url}/metrics`)).text()).not.toContain('a-text-of-a-caller');
  });

  it('reads a query with its arguments in snake case (ai-surface 5.2)', async () => {
    const read = await call('list-notes', { starting_with: 'first' }, { caller: viewer });
    expect(JSON.parse(read.text)).toMatchObject([{ note_text: 'first' }]);
    expect((await call('list-notes', { startingWith: 'first' })).code).toBe('invalid_input');
  });

  it('reads GraphQL and its schema, whole or one type (ai-surface 5.2)', async () => {
    const read = await call('query-graphql', { query: '{ noteList { noteText } }' }, { caller: viewer });
    expect(errorOf(read.text)['data']).toMatchObject({ noteList: expect.arrayContaining([{ noteText: 'first' }]) });
    const one = await call('get-graphql-schema', { type: 'Query' });
    expect(one.text).toMatch(/^type Query \{/);
    expect((await call('get-graphql-schema')).text).toContain('type Query {');
    expect((await call('get-graphql-schema', { type: 'Nothing' })).code).toBe('not_found');
  });
});

/** The audit rows of a tool, the oldest first. */
async function auditOf(operation: string): Promise<readonly object[]> {
  return service.store.transaction('kernel', (tx) =>
    tx.query(sql<Pick<KernelOperationAudit, 'surface' | 'status' | 'key_prefix'>>`
      SELECT surface, status, key_prefix FROM kernel_operation_audit WHERE operation = ${operation} ORDER BY operation_id LIMIT 10`),
  );
}
