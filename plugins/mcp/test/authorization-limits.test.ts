/** @module-tag sessions */

import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:tls';
import { provide, sql } from '@pacioli/core';
import { ownIdentity } from '@pacioli/core/assembly';
import graph from '@pacioli/graph';
import { startTestService, type TestClient } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Network } from '../src/authorization/document-fetch.ts';
import { mcpTokens } from '../src/authorization/mcp-tokens.ts';
import { documentNetwork } from '../src/authorization/providers.ts';
import mcp from '../src/index.ts';
import { ann, clock, graphId, isLive, service, useAuthorization } from './authorization-fixture.ts';
import { OAuthClient, pkce, redirect } from './oauth-client.ts';

/**
 * Goal: the limits of the authorization server hold, and clients with a metadata document are served. Method: HTTP with
 * the standard rate limits; the document comes from a local HTTPS server, to which a replaced network leads.
 */
const documentUrl = 'https://client.example.org/client.json';
const fixture = (name: string) => readFileSync(new URL(`./fixtures/tls/${name}`, import.meta.url));

const certificate = fixture('server.pem');
let documents: Server;

/** A network whose names all lead to the local server of documents. */
const network: Network = {
  resolve: async () => ['93.184.215.14'],
  connect: ({ host }) => {
    const { port } = documents.address() as AddressInfo; // A listening TCP server has one.
    return connect({ host: '127.0.0.1', port, servername: host, ca: certificate });
  },
};

useAuthorization({
  plugins: [graph, mcp.with({ refreshGrace: true })],
  settings: { rateLimits: { profile: 'standard' } },
  override: [provide(documentNetwork, { create: () => network })],
});

beforeAll(async () => {
  documents = createServer({ cert: certificate, key: fixture('server-key.pem') }, (_request, response) => {
    const body = { client_id: documentUrl, client_name: 'Quay Assistant', redirect_uris: [redirect] };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => documents.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  documents.closeAllConnections();
  documents.close();
});

describe('a client with a metadata document', () => {
  it('is connected over HTTP without registration, and gets tokens (O-11, O-20 to O-25)', async () => {
    const client = new OAuthClient(service.anonymous, documentUrl);
    const id = await client.begin({ code_challenge: pkce().challenge });
    expect((await ann.get(`/v1/oauth/authorize/${id}`)).body).toMatchObject({
      client_name: 'Quay Assistant',
      is_trusted: false,
      redirect_host: '127.0.0.1:53122',
    });
    const { access_token, refresh_token } = await client.connect(ann, graphId);
    expect(await isLive(access_token)).toBe(true);
    const renewed = await client.refresh(refresh_token);
    expect([renewed.status, await isLive(renewed.body.access_token)]).toEqual([200, true]);
    const { grants } = (await ann.get('/v1/user/oauth/grants')).body;
    expect(grants[0]).toMatchObject({ client_name: 'Quay Assistant', graph_id: graphId });
  });
});

describe('a refresh token that is sent again', () => {
  it('within 10 seconds is refused without ending the connection, if grace is on (O-34)', async () => {
    const client = await OAuthClient.register(service.anonymous);
    const { refresh_token } = await client.connect(ann, graphId);
    const second = await client.refresh(refresh_token);
    clock.advance(10_000);
    const again = await client.refresh(refresh_token);
    expect([again.status, again.body.error]).toEqual([400, 'invalid_grant']);
    expect(await isLive(second.body.access_token)).toBe(true);
    clock.advance(1);
    expect((await client.refresh(refresh_token)).status).toBe(400);
    expect(await isLive(second.body.access_token), 'after 10 seconds it is a replay').toBe(false);
  });

  it('after its successor was used ends the connection, also with grace (O-34)', async () => {
    const client = await OAuthClient.register(service.anonymous);
    const { refresh_token } = await client.connect(ann, graphId);
    clock.advance(1_000);
    const second = await client.refresh(refresh_token);
    clock.advance(1_000);
    const third = await client.refresh(second.body.refresh_token);
    expect((await client.refresh(refresh_token)).status).toBe(400);
    expect(await isLive(third.body.access_token)).toBe(false);
  });
});

describe('the authorization server', () => {
  it('limits the token endpoint to 60 calls a minute for each client and address (O-45)', async () => {
    const [one, other] = [await OAuthClient.register(service.anonymous), await OAuthClient.register(service.anonymous)];
    const statuses = new Set<number>();
    const attempt = async (client: OAuthClient) => (await client.refresh(`rfsr${'0'.repeat(64)}`)).status;
    for (let call = 0; call < 60; call += 1) statuses.add(await attempt(one));
    expect([...statuses]).toEqual([400]);
    expect(await attempt(one)).toBe(429);
    expect(await attempt(other)).toBe(400);
    clock.advance(60_000);
    expect(await attempt(one)).toBe(400);
  });

  it('counts calls of the token endpoint with a wrong secret (O-45)', async () => {
    const { id } = await OAuthClient.register(service.anonymous, { token_endpoint_auth_method: 'client_secret_post' });
    const guess = async () => (await new OAuthClient(service.anonymous, id, 'wrong').refresh('x')).status;
    const statuses = new Set<number>();
    for (let call = 0; call < 60; call += 1) statuses.add(await guess());
    expect([...statuses]).toEqual([401]);
    expect(await guess()).toBe(429);
    clock.advance(60_000);
  });

  it('limits the calls of the consent page to 30 a minute for each user (O-45)', async () => {
    const lin = await service.newUser('Lin');
    const read = async (user: TestClient) => (await user.get('/v1/oauth/authorize/unknown')).status;
    const statuses = new Set<number>();
    for (let call = 0; call < 30; call += 1) statuses.add(await read(lin));
    expect([...statuses]).toEqual([404]);
    expect([await read(lin), await read(ann)]).toEqual([429, 404]);
  });

  it('limits the grants of a user to 200 (O-44)', async () => {
    const client = await OAuthClient.register(service.anonymous);
    const sam = await service.newUser('Sam');
    const own = await sam.createGraph('Lantern Books', []);
    const { id } = (await sam.get('/v1/user')).body;
    await service.store.transaction('kernel', (tx) =>
      tx.query(sql`
        INSERT INTO kernel_oauth_grant (id, user_id, graph_id, client_id, client_name, client_is_trusted, resource,
          scope, created_at)
        SELECT 'oag_' || n, ${id}, ${own}, 'client-' || n, 'Assistant', false, 'https://books.example.org/mcp', 'mcp',
          ${clock.now()} FROM generate_series(1, 199) AS n`),
    );
    await client.connect(sam, own);
    const late = await OAuthClient.register(service.anonymous);
    const request = await late.begin({ code_challenge: pkce().challenge });
    const refused = await sam.post(`/v1/oauth/authorize/${request}/decision`, { approved: true, graph_id: own });
    expect([refused.status, refused.body.detail]).toEqual([
      409,
      'At most 200 apps can be connected. Disconnect one that is not used.',
    ]);
    await client.connect(sam, own); // It replaces the grant of the same client.
    expect((await sam.get('/v1/user/oauth/grants')).body.grants).toHaveLength(200);
  });
});

describe('the addresses of clients', () => {
  it('can register 10 clients an hour, and begin 30 authorizations a minute (O-45)', async () => {
    clock.advance(3_600_000);
    const clients: OAuthClient[] = [];
    for (let call = 0; call < 10; call += 1) clients.push(await OAuthClient.register(service.anonymous));
    const refused = await service.anonymous.post('/v1/oauth/register', { redirect_uris: [redirect] });
    expect(refused.status).toBe(429);
    const begin = async (at: number) =>
      (await clients[at % clients.length]?.authorize({ code_challenge: pkce().challenge }))?.status;
    const statuses = new Set<number | undefined>();
    for (let call = 0; call < 30; call += 1) statuses.add(await begin(call));
    expect([...statuses]).toEqual([302]);
    expect(await begin(30)).toBe(429);
  });
});

const routes: readonly (readonly [string, string])[] = [
  ['GET', '/.well-known/oauth-authorization-server'],
  ['GET', '/.well-known/oauth-protected-resource'],
  ['GET', '/.well-known/oauth-protected-resource/v1/mcp'],
  ['GET', '/.well-known/oauth-protected-resource/v1/mcp/x'],
  ['GET', '/.well-known/oauth-protected-resource/v1/graphs/kg00000000000000000001/mcp'],
  ['GET', '/v1/oauth/authorize'],
  ['GET', '/v1/oauth/authorize/x'],
  ['POST', '/v1/oauth/authorize/x/decision'],
  ['POST', '/v1/oauth/token'],
  ['POST', '/v1/oauth/revoke'],
  ['POST', '/v1/oauth/register'],
];

/** The statuses of all routes of the authorization server. */
async function statusesFor(caller: TestClient): Promise<readonly number[]> {
  const answers = await Promise.all(
    routes.map(([method, path]) => caller.request(method, path, method === 'POST' ? { approved: true } : undefined)),
  );
  return answers.map(({ status }) => status);
}

describe('a deployment without an authorization server', () => {
  const missing = routes.map(() => 404);
  const token = `rfso${'0'.repeat(64)}`;

  it('because oauth is off has none of the routes (ai-surface 6)', async () => {
    const off = await startTestService({ plugins: [graph, mcp.with({ oauth: false })] });
    try {
      const user = await off.newUser();
      expect(await statusesFor(user)).toEqual(missing);
      // The list is the kernel's: what was granted before can still be read and revoked (O-43).
      expect(await user.get('/v1/user/oauth/grants')).toMatchObject({ status: 200, body: { grants: [] } });
      const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
      const own = `/v1/graphs/${await user.createGraph('Books', [])}/mcp`;
      expect((await user.post(own, ping)).status).toBe(200);
      for (const path of ['/v1/mcp', '/v1/mcp/x'])
        expect((await off.anonymous.post(path, ping)).status, path).toBe(404);
      const bad = [{}, { authorization: `Bearer ${token}` }, { 'x-api-key': `rfs${'0'.repeat(64)}` }];
      for (const headers of bad) {
        const refused = await off.anonymous.withHeaders(headers).post(own, ping);
        expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
      }
      const foreign = await (await off.newUser('Eve')).post(own, { ...ping, method: 'tools/list' });
      expect([foreign.status, foreign.headers.get('www-authenticate')]).toEqual([403, null]);
      const tokens = off.service.services.resolve(mcpTokens);
      expect(await tokens.verify(token, 'x')).toMatchObject({ refused: 'invalid_token' });
    } finally {
      await off.close();
    }
  });

  it('because a host has the users has none of the routes (ai-surface 6)', async () => {
    const harbour = { id: 'org_harbour', name: 'Harbour Ltd', role: 'owner' } as const;
    const ada = { userId: 'ada', email: 'ada@harbour.example', name: 'Ada', org: harbour };
    const identity = ownIdentity({ findPerson: async ({ secret }) => (secret === 'token-of-ada' ? ada : undefined) });
    const hosted = await startTestService({ plugins: [graph, mcp], identity, worker: false });
    try {
      const caller = hosted.anonymous.withHeaders({ authorization: 'Bearer token-of-ada' });
      expect(await statusesFor(caller)).toEqual(missing);
      const tokens = hosted.service.services.resolve(mcpTokens);
      expect(await tokens.verify(token, 'x')).toMatchObject({ refused: 'invalid_token' });
    } finally {
      await hosted.close();
    }
  });
});
