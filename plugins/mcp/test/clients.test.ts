import type { Client } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { connectClient } from './official-client.ts';
import { graphId, key, path, service, useEndpoint } from './wire-fixture.ts';

/** Goal: the official client can use the endpoint in the revisions that it knows. */
useEndpoint();

type Era = 'legacy' | { readonly pin: string };

/** The official client, connected to the endpoint of the graph. */
function connected(mode: Era, capabilities: object = {}): Promise<Client> {
  return connectClient(`${service.url}${path}`, { 'X-API-Key': key }, { capabilities, versionNegotiation: { mode } });
}

const eras: readonly (readonly [string, Era])[] = [
  ['2025-11-25', 'legacy'],
  ['2026-07-28', { pin: '2026-07-28' }],
];

describe.each(eras)('the official client in revision %s', (revision, era) => {
  it('connects, reads the instructions and lists the tools by name (ai-surface M-10, M-20b)', async () => {
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

  it('calls a tool, and gets a refusal as a result (ai-surface M-9, M-37)', async () => {
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

  it('runs at once for a client that cannot ask (ai-surface M-20d)', async () => {
    const client = await connected({ pin: '2026-07-28' });
    const result = await client.callTool({ name: 'erase-all', arguments: { reason: 'test' } });
    expect(result).toMatchObject({ content: [{ text: '{\n  "erased": "test"\n}' }] });
    await client.close();
  });
});
