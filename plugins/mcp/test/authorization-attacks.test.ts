/** @module-tag sessions */

import blocks from '@pacioli/blocks';
import { provide } from '@pacioli/core';
import graph from '@pacioli/graph';
import ledger from '@pacioli/ledger';
import taxonomy from '@pacioli/taxonomy';
import type { TestClient } from '@pacioli/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Network } from '../src/authorization/document-fetch.ts';
import { documentNetwork } from '../src/authorization/providers.ts';
import mcp from '../src/index.ts';
import { ann, audited, client, clock, graphId, isLive, service, useAuthorization } from './authorization-fixture.ts';
import { OAuthClient, pkce, redirect } from './oauth-client.ts';
import { statusWith } from './status-with.ts';

const resolved: string[] = [];

/** A network whose names all resolve to the private network. */
const privateNetwork: Network = {
  resolve: async (host) => {
    resolved.push(host);
    return ['10.0.0.1'];
  },
  connect: () => {
    throw new Error('Nothing connects.');
  },
};

/** Goal: an attacker without the user's consent gets no token, and cannot use another party's code or request. */
useAuthorization({
  plugins: [graph, taxonomy, blocks, ledger, mcp],
  aliases: { ledger: ['roboledger'] },
  override: [provide(documentNetwork, { create: () => privateNetwork })],
});

let eve: TestClient;

beforeAll(async () => {
  eve = await service.newUser('Eve');
});

const errorOf = (answer: Response) => new URL(answer.headers.get('location') ?? 'about:blank').searchParams;
const decide = (user: TestClient, id: string, body: object) => user.post(`/v1/oauth/authorize/${id}/decision`, body);
/** The reasons of the suspicions that are audited with high risk. */
async function suspicions(): Promise<readonly unknown[]> {
  const events = await audited('suspicious_activity');
  return events.filter(({ risk }) => risk === 'high').map((event) => event['reason']);
}

describe('an authorization request', () => {
  it('with an unknown client or redirect is answered with 400 and never redirected (O-13, O-20)', async () => {
    const challenge = { code_challenge: pkce().challenge };
    const other = await OAuthClient.register(service.anonymous, {
      redirect_uris: ['https://app.example.org/cb', 'https://app.example.org/other'],
    });
    const answers = [
      await client.authorize({ ...challenge, client_id: 'mcpc_unknown' }),
      await client.authorize({ ...challenge, client_id: undefined }),
      await client.authorize({ ...challenge, client_id: 'https://client.example.org/client.json' }),
      await client.authorize({ ...challenge, redirect_uri: 'https://evil.example/cb' }),
      await client.authorize({ ...challenge, redirect_uri: 'http://127.0.0.1:53122/cb/../evil' }),
      await client.authorize({ ...challenge, redirect_uri: 'http://127.0.0.1:1@evil.example/cb' }),
      await client.authorize({ ...challenge, redirect_uri: 'javascript:alert(1)' }),
      await client.authorize({ ...challenge, redirect_uri: `${redirect}#x` }),
      await client.authorize({ ...challenge, redirect_uri: undefined }),
      await other.authorize({ ...challenge, redirect_uri: undefined }),
      await other.authorize({ ...challenge, redirect_uri: 'https://APP.example.org/cb' }),
      await other.authorize({ ...challenge, redirect_uri: 'https://app.example.org:8443/cb' }),
      await client.authorize({ ...challenge, scope: 'm'.repeat(4_097) }),
    ];
    for (const answer of answers) expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
    expect(resolved).toEqual(['client.example.org']);
    const bodies = await Promise.all(answers.slice(0, 3).map((answer) => answer.json()));
    expect(new Set(bodies.map((body) => JSON.stringify(body))).size, 'they do not differ').toBe(1);
    expect(bodies[0]).toEqual({ error: 'invalid_client', error_description: expect.any(String) });
  });

  it.each([
    ['unsupported_response_type', { response_type: 'token' }],
    ['unsupported_response_type', { response_type: undefined }],
    ['invalid_request', { code_challenge: undefined }],
    ['invalid_request', { code_challenge: 'a'.repeat(42) }],
    ['invalid_request', { code_challenge: 'a'.repeat(44) }],
    ['invalid_request', { code_challenge_method: 'plain' }],
    ['invalid_request', { code_challenge_method: undefined }],
    ['invalid_request', { state: 's'.repeat(1_025) }],
    ['invalid_scope', { scope: 'mcp admin' }],
    ['invalid_target', { resource: 'https://evil.example/v1/mcp' }],
    ['invalid_target', { resource: '/v1/mcp' }],
  ])('is redirected with %s and iss for %j (O-3, O-20)', async (error, parameters) => {
    const answer = await client.authorize({ code_challenge: 'a'.repeat(43), ...parameters });
    const given = errorOf(answer);
    expect([answer.status, given.get('error'), given.get('iss')]).toEqual([302, error, service.url]);
    expect(given.get('state')).toBe('state' in parameters ? null : 's1');
  });

  it('with a state of 1,024 characters, or any loopback port, is accepted (O-14, O-20)', async () => {
    const parameters = {
      code_challenge: 'a'.repeat(43),
      state: 's'.repeat(1_024),
      redirect_uri: 'http://127.0.0.1/cb',
    };
    expect(await client.begin(parameters)).toMatch(/^[\w-]{43}$/);
  });

  it('is read and decided only with a session (O-22, O-23)', async () => {
    const id = await client.begin({ code_challenge: pkce().challenge });
    const { body } = await ann.post('/v1/user/api-keys', { name: 'key' });
    const byKey = service.anonymous.withHeaders({ 'x-api-key': body.key });
    for (const caller of [byKey, service.anonymous]) {
      expect((await caller.get(`/v1/oauth/authorize/${id}`)).status).toBe(401);
      expect((await decide(caller, id, { approved: true, graph_id: graphId })).status).toBe(401);
    }
    expect((await byKey.get(`/v1/oauth/authorize/${id}`)).body.detail).toBe('Sign in to continue');
    // A form of another site can send neither the header of a session nor JSON.
    const forged = await ann.request('POST', `/v1/oauth/authorize/${id}/decision`, 'approved=true', {
      'content-type': 'application/x-www-form-urlencoded',
    });
    expect(forged.status).toBe(415);
    expect((await decide(ann, id, { approved: true, graph_id: graphId })).status).toBe(200);
  });

  it('belongs to the user who read it first (O-22, O-23)', async () => {
    const id = await client.begin({ code_challenge: pkce().challenge });
    expect((await ann.get(`/v1/oauth/authorize/${id}`)).status).toBe(200);
    expect((await eve.get(`/v1/oauth/authorize/${id}`)).status).toBe(404);
    expect((await decide(eve, id, { approved: false })).body.detail).toBe(
      'Authorization request expired or already answered',
    );
    expect((await decide(ann, id, { approved: true, graph_id: graphId })).status).toBe(200);
  });

  it('expires after 10 minutes (O-21)', async () => {
    const [one, two] = [
      await client.begin({ code_challenge: pkce().challenge }),
      await client.begin({ code_challenge: pkce().challenge }),
    ];
    clock.advance(599_000);
    expect((await ann.get(`/v1/oauth/authorize/${one}`)).status).toBe(200);
    clock.advance(1_000);
    expect((await ann.get(`/v1/oauth/authorize/${two}`)).status).toBe(404);
    expect((await decide(ann, one, { approved: true, graph_id: graphId })).status).toBe(404);
  });

  it('is consumed by one decision of several (O-23)', async () => {
    const id = await client.begin({ code_challenge: pkce().challenge });
    const body = { approved: true, graph_id: graphId };
    const all = await Promise.all([decide(ann, id, body), decide(ann, id, body), decide(ann, id, body)]);
    expect(all.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
  });

  it.each([
    [400, 'graph_id is required', undefined, {}],
    [400, 'graph_id is not the id of a graph', undefined, { graph_id: '../x' }],
    [403, 'You do not have access to that graph', undefined, { graph_id: 'kg00000000000000000001' }],
    [403, 'You do not have access to that graph', undefined, { graph_id: 'sec' }],
    [400, 'graph_id does not match the requested resource', 'own', { graph_id: 'kg00000000000000000001' }],
    [403, 'That graph does not have roboledger. Choose another graph.', 'roboledger', { graph_id: 'own' }],
  ])('is consumed by a decision that gets %i %s (O-23)', async (status, detail, of, given) => {
    const paths: Record<string, string> = { own: `/v1/graphs/${graphId}/mcp`, roboledger: '/v1/mcp/roboledger' };
    const resource = `${service.url}${paths[of ?? ''] ?? '/v1/mcp'}`;
    const id = await client.begin({ code_challenge: pkce().challenge, resource });
    const body = {
      approved: true,
      ...given,
      ...('graph_id' in given && given.graph_id === 'own' ? { graph_id: graphId } : {}),
    };
    const answer = await decide(ann, id, body);
    expect([answer.status, answer.body.detail]).toEqual([status, detail]);
    expect((await decide(ann, id, { approved: true, graph_id: graphId })).status).toBe(404);
  });

  it.each(['ledger', 'roboledger'])('of the profile %s names it as the list of graphs does (O-22)', async (profile) => {
    const resource = `${service.url}/v1/mcp/${profile}`;
    const id = await client.begin({ code_challenge: pkce().challenge, resource });
    expect((await ann.get(`/v1/oauth/authorize/${id}`)).body).toMatchObject({ resource, profile: 'roboledger' });
  });

  it('gives nobody access to a graph of another user (O-23)', async () => {
    const resource = `${service.url}/v1/graphs/${graphId}/mcp`;
    const id = await client.begin({ code_challenge: pkce().challenge, resource });
    expect((await decide(eve, id, { approved: true })).status).toBe(403);
  });
});

describe('a code', () => {
  it('that is redeemed twice ends the tokens of the first time (O-25)', async () => {
    const given = await client.consent(ann, graphId);
    const first = await client.redeem(given);
    expect([first.status, await isLive(first.body.access_token)]).toEqual([200, true]);
    const second = await client.redeem(given);
    expect([second.status, second.body.error]).toEqual([400, 'invalid_grant']);
    expect(await isLive(first.body.access_token)).toBe(false);
    expect((await client.refresh(first.body.refresh_token)).body.error).toBe('invalid_grant');
    expect(await suspicions()).toContain('oauth_code_reused');
  });

  it('that two requests redeem at once gives one pair, which ends (O-25)', async () => {
    const given = await client.consent(ann, graphId);
    const both = await Promise.all([client.redeem(given), client.redeem(given)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect(await isLive(both.find(({ status }) => status === 200)?.body.access_token)).toBe(false);
  });

  it.each([
    ['another verifier', { code_verifier: 'v'.repeat(43) }, 'invalid_grant'],
    ['no verifier', { code_verifier: undefined }, 'invalid_grant'],
    ['another redirect', { redirect_uri: 'http://127.0.0.1:53122/other' }, 'invalid_grant'],
    ['another resource', { resource: 'https://evil.example/v1/mcp' }, 'invalid_target'],
  ])('is burned by an exchange with %s (O-25, O-33)', async (_what, wrong, error) => {
    const { code, verifier } = await client.consent(ann, graphId);
    const fields = { grant_type: 'authorization_code', code, code_verifier: verifier };
    const refused = await client.token({ ...fields, ...wrong });
    expect([refused.status, refused.body.error]).toEqual([400, error]);
    expect((await client.token(fields)).body.error).toBe('invalid_grant');
  });

  it('is burned by another client, and noted (O-25, O-33)', async () => {
    const given = await client.consent(ann, graphId);
    const other = await OAuthClient.register(service.anonymous);
    expect((await other.redeem(given)).body.error).toBe('invalid_grant');
    expect((await client.redeem(given)).body.error).toBe('invalid_grant');
    expect(await suspicions()).toEqual(expect.arrayContaining(['oauth_code_of_another_client', 'oauth_pkce_failed']));
  });

  it('expires after 60 seconds (O-25)', async () => {
    const one = await client.consent(ann, graphId);
    clock.advance(59_000);
    expect((await client.redeem(one)).status).toBe(200);
    const two = await client.consent(ann, graphId);
    clock.advance(60_000);
    expect((await client.redeem(two)).body.error).toBe('invalid_grant');
  });

  it('gives nothing after its grant was revoked (O-25, O-43)', async () => {
    const given = await client.consent(ann, graphId);
    const { grants } = (await ann.get('/v1/user/oauth/grants')).body;
    await ann.request('DELETE', `/v1/user/oauth/grants/${grants[0].id}`);
    expect((await client.redeem(given)).body.error).toBe('invalid_grant');
  });
});

describe('a refresh token', () => {
  it('of another client is refused, noted, and stays usable by its own (O-34)', async () => {
    const { refresh_token } = await client.connect(ann, graphId);
    const other = await OAuthClient.register(service.anonymous);
    expect((await other.refresh(refresh_token)).body.error).toBe('invalid_grant');
    expect(await suspicions()).toContain('oauth_refresh_token_of_another_client');
    expect((await client.refresh(refresh_token)).status).toBe(200);
  });
});

describe('a foreign name that was pointed at this machine', () => {
  it.each([
    '/.well-known/oauth-authorization-server',
    '/.well-known/oauth-protected-resource/v1/mcp',
    '/v1/oauth/authorize?client_id=x',
  ])('is no issuer: %s is refused (ai-surface M-2, O-1)', async (path) => {
    expect(await statusWith(`${service.url}${path}`, { Host: 'evil.example' })).toBe(403);
    expect(await statusWith(`${service.url}${path}`, { Host: 'localhost' })).not.toBe(403);
  });
});
