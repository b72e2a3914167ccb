import mcp from '@pacioli/mcp';
import { joinTeam, startTestService, type TestClient, type TestService, teamSettings } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { controls, fixturePlugin } from './fixture-plugin.ts';
import { statelessRequest } from './stateless-request.ts';

let service: TestService;
let owner: TestClient;
let graphId: string;
let path: string;

beforeAll(async () => {
  service = await startTestService({ plugins: [mcp, fixturePlugin], settings: teamSettings });
  owner = await service.newUser('Ann');
  graphId = await owner.createGraph('Books of Ann', ['fixture']);
  path = `/v1/graphs/${graphId}/mcp`;
});
afterAll(() => service.close());

type Params = Readonly<Record<string, unknown>>;

/** A request in each of the two forms. */
const revisions = {
  '2025-11-25': (method: string, params: Params) => ({
    headers: {},
    body: { jsonrpc: '2.0', id: 'a"1', method, params },
  }),
  '2026-07-28': (method: string, params: Params) => {
    return statelessRequest(method, params, { id: 'a"1', capabilities: { roots: { listChanged: true } } });
  },
};

type Revision = keyof typeof revisions;

function ask(client: TestClient, revision: Revision, method: string, params: Params = {}) {
  const { headers, body } = revisions[revision](method, params);
  return client.withHeaders({ Accept: 'application/json, text/event-stream', ...headers }).post(path, body);
}

/** Asks for progress, so that the official server answers the request. */
const byServer: Params = { _meta: { progressToken: 'p1' } };

describe.each(Object.keys(revisions) as Revision[])('a plain request of %s', (revision) => {
  it('is answered as by the official server (ai-surface M-20c, M-37)', async () => {
    const requests: readonly (readonly [string, Params])[] = [
      ['tools/list', {}],
      ['tools/call', { name: 'echo', arguments: { text: 'x' } }],
      ['tools/call', { name: 'echo' }],
      ['tools/call', { name: 'nothing', arguments: {} }],
      ['tools/call', { name: 'get-document', arguments: { document_id: 'd' } }],
    ];
    for (const [method, params] of requests) {
      const plain = await ask(owner, revision, method, params);
      const official = await ask(owner, revision, method, { ...params, ...byServer });
      expect(plain.status).toBe(official.status);
      expect(plain.headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(plain.body).toEqual(official.body);
      expect(plain.body).toMatchObject({ jsonrpc: '2.0', id: 'a"1', result: {} });
    }
  });

  it('calls an operation once for one idempotency key, and returns its id (ai-surface M-36)', async () => {
    const before = controls.erased;
    const call = { name: 'erase-all', arguments: { reason: 'x' }, _meta: { idempotencyKey: `key-${revision}` } };
    const answers = [await ask(owner, revision, 'tools/call', call), await ask(owner, revision, 'tools/call', call)];
    const ids = answers.map(({ body }) => body.result._meta.operationId);
    expect(ids[0]).toMatch(/^op_/);
    expect(ids[1]).toBe(ids[0]);
    expect(controls.erased).toBe(before + 1);
  });

  it('is refused with a cursor or a malformed idempotency key (ai-surface 5.4, M-36)', async () => {
    const faulty: readonly (readonly [string, Params])[] = [
      ['tools/list', { cursor: 'x' }],
      ['tools/call', { name: 'echo', arguments: { text: 'x' }, _meta: { idempotencyKey: '' } }],
    ];
    for (const [method, params] of faulty)
      expect((await ask(owner, revision, method, params)).body.error.code).toBe(-32602);
  });

  it('sees a changed role with the next request (ai-surface M-20c, M-30)', async () => {
    const { client, userId } = await joinTeam(service, owner);
    const names = async () =>
      (await ask(client, revision, 'tools/list')).body.result.tools.map(({ name }: { name: string }) => name);
    await owner.post(`/v1/graphs/${graphId}/members`, { user_id: userId, role: 'viewer' });
    expect(await names()).not.toContain('erase-all');
    await owner.request('PUT', `/v1/graphs/${graphId}/members/${userId}`, { role: 'member' });
    expect(await names()).toContain('erase-all');
    await owner.request('PUT', `/v1/graphs/${graphId}/members/${userId}`, { role: 'viewer' });
    expect(await names()).not.toContain('erase-all');
    const refused = await ask(client, revision, 'tools/call', { name: 'erase-all', arguments: { reason: 'x' } });
    expect(refused.body.result).toMatchObject({ isError: true });
  });
});

describe('a request of the stateless revision', () => {
  it('is refused if its envelope is malformed (ai-surface M-20a)', async () => {
    for (const wrong of [
      { 'io.modelcontextprotocol/clientCapabilities': 3 },
      { 'io.modelcontextprotocol/clientInfo': { name: 'x' } },
    ]) {
      const refused = await ask(owner, '2026-07-28', 'tools/list', { _meta: wrong });
      expect(refused).toMatchObject({ status: 400, body: { error: { code: -32602 } } });
    }
  });
});
