import { describe, expect, it } from 'vitest';
import { statelessRequest } from './stateless-request.ts';
import { graphId, send, useEndpoint } from './wire-fixture.ts';

useEndpoint();

describe('the stateless revision', () => {
  it('says on discovery how long its description may be cached (ai-surface M-20b)', async () => {
    const { status, body } = await send(statelessRequest('server/discover'));
    expect(status).toBe(200);
    expect(body.result).toMatchObject({
      resultType: 'complete',
      supportedVersions: ['2026-07-28'],
      ttlMs: 60_000,
      cacheScope: 'private',
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: `pacioli-${graphId}` } },
    });
    expect(body.result.instructions).toMatch(/^Connected to /);
  });

  it('says how long the list of tools may be cached (ai-surface M-20c)', async () => {
    const { body } = await send(statelessRequest('tools/list'));
    expect(body.result).toMatchObject({ resultType: 'complete', ttlMs: 60_000, cacheScope: 'private' });
  });

  it('has no handshake, no ping and no unknown method: 404 (ai-surface M-20b)', async () => {
    for (const method of ['initialize', 'ping', 'logging/setLevel', 'nothing/at-all'])
      expect(await send(statelessRequest(method))).toMatchObject({ status: 404, body: { error: { code: -32601 } } });
  });

  it('is the only supported one for a request with its envelope and an unknown revision (ai-surface M-5)', async () => {
    const call = statelessRequest('server/discover');
    const refused = await send({ ...call, headers: { ...call.headers, 'MCP-Protocol-Version': '2027-01-01' } });
    expect(refused).toMatchObject({
      status: 400,
      body: { error: { code: -32022, data: { supported: ['2026-07-28'], requested: '2027-01-01' } } },
    });
  });

  it('refuses headers that differ from the message (ai-surface M-20a)', async () => {
    const call = statelessRequest('tools/call', { name: 'echo', arguments: { text: 'x' } });
    expect((await send(call)).status).toBe(200);
    for (const wrong of [{ 'Mcp-Method': 'tools/list' }, { 'Mcp-Name': 'other' }]) {
      const refused = await send({ ...call, headers: { ...call.headers, ...wrong } });
      expect(refused).toMatchObject({ status: 400, body: { error: { code: -32020 } } });
    }
  });

  it('refuses unknown resources and prompts, and says when a resource cannot be read now (ai-surface M-20c)', async () => {
    const uri = `graph://${graphId}/nothing`;
    expect((await send(statelessRequest('resources/read', { uri }))).body.error.code).toBe(-32602);
    const down = `graph://${graphId}/documents/doc_1`;
    expect((await send(statelessRequest('resources/read', { uri: down }))).body.error).toEqual({
      code: -32603,
      message: 'The resource cannot be read at the moment. Try again later.',
    });
    expect((await send(statelessRequest('prompts/get', { name: 'none' }))).body.error).toMatchObject({
      code: -32602,
      message: 'Unknown prompt, or an argument is missing or longer than 200 characters.',
    });
    expect((await send(statelessRequest('prompts/list'))).body.result.prompts).toEqual([]);
  });
});
