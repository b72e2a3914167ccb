import { describe, expect, it } from 'vitest';
import { graphId, type Sent, send, useEndpoint } from './wire-fixture.ts';

useEndpoint();

/** The headers and the envelope of a request of the stateless revision. */
function statelessCall(method: string, params: Readonly<Record<string, unknown>> = {}, name?: string): Sent {
  const Meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  return {
    body: { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: Meta } },
    headers: {
      'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Method': method,
      ...(name === undefined ? {} : { 'Mcp-Name': name }),
    },
  };
}

describe('the stateless revision', () => {
  it('is discovered with what may be kept and for how long (ai-surface M-20b)', async () => {
    const { status, body } = await send(statelessCall('server/discover'));
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

  it('lists tools with how long the list may be kept (ai-surface M-20c)', async () => {
    const { body } = await send(statelessCall('tools/list'));
    expect(body.result).toMatchObject({ resultType: 'complete', ttlMs: 60_000, cacheScope: 'private' });
  });

  it('has no handshake, no ping and no unknown method: 404 (ai-surface M-20b)', async () => {
    for (const method of ['initialize', 'ping', 'logging/setLevel', 'nothing/at-all'])
      expect(await send(statelessCall(method))).toMatchObject({ status: 404, body: { error: { code: -32601 } } });
  });

  it('names itself alone to a request in its envelope that names an unknown revision (ai-surface M-5)', async () => {
    const call = statelessCall('server/discover');
    const refused = await send({ ...call, headers: { ...call.headers, 'MCP-Protocol-Version': '2027-01-01' } });
    expect(refused).toMatchObject({
      status: 400,
      body: { error: { code: -32022, data: { supported: ['2026-07-28'], requested: '2027-01-01' } } },
    });
  });

  it('refuses headers that differ from the message (ai-surface M-20a)', async () => {
    const call = statelessCall('tools/call', { name: 'echo', arguments: { text: 'x' } }, 'echo');
    expect((await send(call)).status).toBe(200);
    for (const wrong of [{ 'Mcp-Method': 'tools/list' }, { 'Mcp-Name': 'other' }]) {
      const refused = await send({ ...call, headers: { ...call.headers, ...wrong } });
      expect(refused).toMatchObject({ status: 400, body: { error: { code: -32020 } } });
    }
  });

  it('refuses an unknown resource and prompt, and one that cannot be read in other words (ai-surface M-20c)', async () => {
    const uri = `graph://${graphId}/nothing`;
    expect((await send(statelessCall('resources/read', { uri }, uri))).body.error.code).toBe(-32602);
    const down = `graph://${graphId}/documents/doc_1`;
    expect((await send(statelessCall('resources/read', { uri: down }, down))).body.error).toEqual({
      code: -32603,
      message: 'The resource cannot be read at the moment. Try again later.',
    });
    expect((await send(statelessCall('prompts/get', { name: 'none' }, 'none'))).body.error.code).toBe(-32602);
    expect((await send(statelessCall('prompts/list'))).body.result.prompts).toEqual([]);
  });
});
