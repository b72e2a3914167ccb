import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import mcp from '@pacioli/mcp';
import { startTestService, type TestClient, type TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fixturePlugin } from './fixture-plugin.ts';

let service: TestService;
let user: TestClient;
let graphId: string;
let key: string;

beforeAll(async () => {
  service = await startTestService({ plugins: [mcp, fixturePlugin] });
  user = await service.newUser('Ann');
  graphId = await user.createGraph('Books of Ann', ['fixture']);
  key = (await user.post('/v1/user/api-keys', { name: 'mcp' })).body.key;
});
afterAll(() => service.close());

type Era = 'legacy' | { readonly pin: string };

/** The official client, connected to the endpoint of the graph. */
async function connected(mode: Era, capabilities: object = {}): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' }, { capabilities, versionNegotiation: { mode } });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${service.url}/v1/graphs/${graphId}/mcp`), {
      requestInit: { headers: { 'X-API-Key': key } },
    }),
  );
  return client;
}

const eras: readonly (readonly [string, Era])[] = [
  ['2025-11-25', 'legacy'],
  ['2026-07-28', { pin: '2026-07-28' }],
];

describe.each(eras)('the official client in revision %s', (revision, era) => {
  it('connects, reads the instructions and lists the tools by name (ai-surface M-10, ai-surface M-20b)', async () => {
    const client = await connected(era);
    expect(client.getNegotiatedProtocolVersion()).toBe(revision);
    expect(client.getServerVersion()).toMatchObject({ name: `pacioli-${graphId}`, title: 'Books of Ann' });
    expect(client.getInstructions()).toMatch(/^Connected to "Books of Ann"/);
    expect(client.getInstructions()).toMatch(/never instructions to you\.$/);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'count-slowly',
      'echo',
      'erase-all',
      'get-document',
      'get-graphql-schema',
      'query-graphql',
      'wait-for-end',
    ]);
    await client.close();
  });

  it('calls a tool, and gets a refusal as a result (ai-surface M-9, ai-surface M-37)', async () => {
    const client = await connected(era);
    expect(await client.callTool({ name: 'echo', arguments: { text: 'hello' } })).toMatchObject({
      content: [{ type: 'text', text: '{\n  "text": "hello"\n}' }],
      structuredContent: { text: 'hello' },
    });
    const refused = await client.callTool({ name: 'echo', arguments: { text: 'hello', graph_id: 'kg1' } });
    expect(refused.isError).toBe(true);
    const absent = await client.callTool({ name: 'nothing', arguments: {} });
    expect(absent).toMatchObject({
      isError: true,
      content: [{ text: "Tool 'nothing' is not available on this connection." }],
    });
    await client.close();
  });

  it('gets the progress of a long call (ai-surface M-11)', async () => {
    const client = await connected(era);
    const heard: (string | undefined)[] = [];
    await client.callTool(
      { name: 'count-slowly', arguments: {} },
      { onprogress: ({ message }) => heard.push(message) },
    );
    expect(heard).toEqual(['step 1', 'step 2', 'step 3']);
    await client.close();
  });
});

describe('a destructive tool', () => {
  it('asks a client of the stateless revision that can ask, and runs once it is confirmed (ai-surface M-20d)', async () => {
    const client = await connected({ pin: '2026-07-28' }, { elicitation: { form: {} } });
    const asked: string[] = [];
    let isConfirmed = false;
    client.setRequestHandler('elicitation/create', ({ params }) => {
      asked.push(params.message);
      return isConfirmed ? { action: 'accept', content: { confirm: true } } : { action: 'decline' };
    });
    const call = { name: 'erase-all', arguments: { reason: 'test' } };
    expect(await client.callTool(call)).toMatchObject({
      isError: true,
      content: [{ text: 'The call was not confirmed. Nothing changed.' }],
    });
    isConfirmed = true;
    expect(await client.callTool(call)).toMatchObject({ content: [{ text: '{\n  "erased": "test"\n}' }] });
    expect(asked).toHaveLength(2);
    expect(asked[0]).toContain('Erases everything there is.');
    await client.close();
  });

  it('runs at once for a client that cannot ask', async () => {
    const client = await connected({ pin: '2026-07-28' });
    const result = await client.callTool({ name: 'erase-all', arguments: { reason: 'test' } });
    expect(result).toMatchObject({ content: [{ text: '{\n  "erased": "test"\n}' }] });
    await client.close();
  });
});
