import type { Client } from '@modelcontextprotocol/client';
import mcp from '@pacioli/mcp';
import search from '@pacioli/search';
import { startTestService, type TestClient, type TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectClient } from './official-client.ts';

let service: TestService;
let owner: TestClient;
let graphId: string;

beforeAll(async () => {
  service = await startTestService({ plugins: [mcp, search] });
  owner = await service.newUser('Ann');
  graphId = await owner.createGraph('Harbour', []);
});
afterAll(() => service.close());

/** The official client, connected to the endpoint of a graph. */
async function connected(user: TestClient, graph: string): Promise<Client> {
  const { key } = (await user.post('/v1/user/api-keys', { name: 'mcp' })).body;
  return connectClient(`${service.url}/v1/graphs/${graph}/mcp`, { 'X-API-Key': key });
}

describe('the documents of a graph over MCP', () => {
  it('are stored and searched by tools, and read as resources of their graph only (ai-surface M-62)', async () => {
    const client = await connected(owner, graphId);
    const content = 'Leases over a year are capitalized by the harbour office.';
    const made = await client.callTool({ name: 'create-document', arguments: { title: 'Leases', content } });
    const { id } = JSON.parse((made.content as { text: string }[])[0]?.text ?? '');
    const found = await client.callTool({ name: 'search-documents', arguments: { query: 'capitalized' } });
    expect(JSON.stringify(found.content)).toContain(id);
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      `graph://${graphId}/documents/{document_id}`,
    ]);
    const read = await client.readResource({ uri: `graph://${graphId}/documents/${id}` });
    expect(JSON.parse((read.contents[0] as { text: string }).text)).toMatchObject({ id, title: 'Leases', content });
    await expect(client.readResource({ uri: `graph://${graphId}/documents/doc_none` })).rejects.toThrow('Unknown');
    await client.close();

    const stranger = await service.newUser('Sam');
    const theirs = await connected(stranger, await stranger.createGraph('Elsewhere', []));
    await expect(theirs.readResource({ uri: `graph://${graphId}/documents/${id}` })).rejects.toThrow('Unknown');
    await theirs.close();
  });
});
