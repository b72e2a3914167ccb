// Goal: the messages of the guide for AI clients work as printed. Method: they are sent in order to a real service.
import { readFileSync } from 'node:fs';
import graph from '@pacioli/graph';
import mcp from '@pacioli/mcp';
import { startTestService, type TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const guide = readFileSync(new URL('../../../docs/guide/14-ai-clients.md', import.meta.url), 'utf8');
const blocks = [...guide.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text = '']) => JSON.parse(text));

let service: TestService;
let url: string;
let headers: Record<string, string>;
let graphId: string;

beforeAll(async () => {
  service = await startTestService({ plugins: [graph, mcp] });
  const user = await service.newUser('Ann');
  graphId = await user.createGraph('Books', []);
  const key: string = (await user.post('/v1/user/api-keys', { name: 'client' })).body.key;
  const { books } = blocks[0].mcpServers;
  url = books.url.replace('http://127.0.0.1:8000', service.url).replace('GRAPH', graphId);
  headers = { ...books.headers, 'X-API-Key': key };
});
afterAll(() => service.close());

async function send(message: { method: string; params: { name?: string } }) {
  const answer = await fetch(url, {
    method: 'POST',
    headers: {
      ...headers,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Method': message.method,
      ...(message.params.name === undefined ? {} : { 'Mcp-Name': message.params.name }),
    },
    body: JSON.stringify(message),
  });
  return { status: answer.status, body: JSON.parse(await answer.text()) };
}

describe('docs/guide/14-ai-clients.md', () => {
  it('shows messages that the endpoint answers as it says', async () => {
    expect(blocks).toHaveLength(3);
    const discovered = await send(blocks[1]);
    expect(discovered.status).toBe(200);
    expect(discovered.body.result.instructions).toContain('get-graph-schema');
    expect(discovered.body.result.instructions).not.toContain('close-period');
    const called = await send(blocks[2]);
    expect(called.status).toBe(200);
    expect(JSON.parse(called.body.result.content[0].text)).toMatchObject({ graph_id: graphId, name: 'Books' });
  });
});
