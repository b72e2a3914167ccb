/** @module-tag sessions */

import { sql } from '@pacioli/core';
import { describe, expect, it } from 'vitest';
import { authorizationServer } from '../src/authorization/authorization-server.ts';
import {
  ann,
  audited,
  client,
  clock,
  grantsOf,
  graphId,
  isLive,
  resource,
  service,
  signInAgain,
  useAuthorization,
  verify,
} from './authorization-fixture.ts';
import { OAuthClient, pkce, redirect } from './oauth-client.ts';

/** Goal: the authorization server issues and renews tokens as ai-surface 6 says. Method: HTTP, as clients do. */
useAuthorization();

describe('metadata', () => {
  it('describes the server and every resource (O-1, O-2)', async () => {
    const server = await service.anonymous.get('/.well-known/oauth-authorization-server');
    expect(server.headers.get('cache-control')).toBe('public, max-age=3600');
    expect(server.body).toEqual({
      issuer: service.url,
      authorization_endpoint: `${service.url}/v1/oauth/authorize`,
      token_endpoint: `${service.url}/v1/oauth/token`,
      registration_endpoint: `${service.url}/v1/oauth/register`,
      revocation_endpoint: `${service.url}/v1/oauth/revoke`,
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_methods_supported: ['none', 'client_secret_post', 'client_secret_basic'],
      revocation_endpoint_auth_methods_supported: ['none', 'client_secret_post', 'client_secret_basic'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
      scopes_supported: ['mcp', 'offline_access'],
      service_documentation: `${service.url}/docs`,
    });
    const prm = (path: string) => service.anonymous.get(`/.well-known/oauth-protected-resource${path}`);
    expect((await prm('')).body).toEqual({
      resource: resource(),
      authorization_servers: [service.url],
      scopes_supported: ['mcp', 'offline_access'],
      bearer_methods_supported: ['header'],
      resource_name: 'Pacioli MCP',
      resource_documentation: `${service.url}/docs`,
    });
    const unknown = '/v1/graphs/kg00000000000000000001/mcp';
    expect((await prm('/v1/mcp')).body.resource).toBe(resource());
    expect((await prm(unknown)).body.resource).toBe(resource(unknown));
    expect((await prm('/v1/graphs/sec/mcp')).body.resource).toBe(resource('/v1/graphs/sec/mcp'));
    const missing = [await prm('/v1/graphs/KG1/mcp'), await prm('/v1/mcp/unknown')];
    expect(missing.map(({ status }) => status)).toEqual([404, 404]);
  });
});

describe('a connection', () => {
  it('goes from registration to a token of the chosen graph (O-10, O-20 to O-25, O-30 to O-32, O-40)', async () => {
    const { verifier, challenge } = pkce();
    const begun = await client.authorize({ code_challenge: challenge, resource: resource(), scope: 'offline_access' });
    expect([begun.status, begun.headers.get('referrer-policy')]).toEqual([302, 'no-referrer']);
    const page = new URL(begun.headers.get('location') ?? '');
    expect([page.origin, page.pathname]).toEqual([service.url, '/oauth/consent']);
    const path = `/v1/oauth/authorize/${page.searchParams.get('request_id')}`;
    const details = await ann.get(path);
    expect([details.status, details.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(details.body).toEqual({
      client_name: 'Desk',
      client_uri: null,
      logo_uri: null,
      is_trusted: false,
      resembles: null,
      redirect_host: '127.0.0.1:53122',
      is_loopback_redirect: true,
      resource: resource(),
      graph_id: null,
      profile: null,
      scope: 'mcp offline_access',
    });
    const decided = await ann.post(`${path}/decision`, { approved: true, graph_id: graphId });
    const back = new URL(decided.body.redirect_to);
    expect(`${back.origin}${back.pathname}`).toBe(redirect);
    expect([back.searchParams.get('state'), back.searchParams.get('iss')]).toEqual(['s1', service.url]);
    const issued = await client.redeem({ code: back.searchParams.get('code') ?? '', verifier });
    expect([issued.status, issued.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(issued.body).toEqual({
      access_token: expect.stringMatching(/^rfso[0-9a-f]{64}$/),
      token_type: 'Bearer',
      expires_in: 3_600,
      refresh_token: expect.stringMatching(/^rfsr[0-9a-f]{64}$/),
      scope: 'mcp offline_access',
    });
    const [grant] = await grantsOf(ann);
    expect(grant).toMatchObject({ client_name: 'Desk', graph_id: graphId, graph_name: 'Harbour Books' });
    expect(await verify(issued.body.access_token)).toMatchObject({
      graphId,
      grantId: grant.id,
      caller: { credential: 'oauth', grantId: grant.id, scopeGraphId: graphId, name: 'Ann' },
    });
    expect(await audited('oauth_grant_created')).toContainEqual(expect.objectContaining({ grant_id: grant.id }));
    expect(await verify(issued.body.refresh_token), 'a refresh token is no access token').toHaveProperty('refused');
    expect(await isLive(issued.body.access_token, `/v1/graphs/${graphId}/mcp`), 'another audience').toBe(false);
  });

  it('of one graph has a token for the URL of that graph alone (O-23, O-40)', async () => {
    const path = `/v1/graphs/${graphId}/mcp`;
    const { access_token } = await client.connect(ann, graphId, { resource: resource(path) });
    expect([await isLive(access_token, path), await isLive(access_token)]).toEqual([true, false]);
  });

  it('replaces the earlier one with the same client, graph and resource (O-44)', async () => {
    const sam = await service.newUser('Sam');
    const ownGraph = await sam.createGraph('Lantern Books', []);
    const first = await client.connect(sam, ownGraph);
    const second = await client.connect(sam, ownGraph);
    expect([await isLive(first.access_token), await isLive(second.access_token)]).toEqual([false, true]);
    expect(await grantsOf(sam)).toHaveLength(1);
  });

  it('ends for an app that the user refuses, with access_denied (O-23)', async () => {
    const id = await client.begin({ code_challenge: pkce().challenge });
    const decided = await ann.post(`/v1/oauth/authorize/${id}/decision`, { approved: false });
    const back = new URL(decided.body.redirect_to).searchParams;
    expect([back.get('error'), back.get('state'), back.get('iss'), back.get('code')]).toEqual([
      'access_denied',
      's1',
      service.url,
      null,
    ]);
    expect((await ann.post(`/v1/oauth/authorize/${id}/decision`, { approved: true, graph_id: graphId })).status).toBe(
      404,
    );
  });
});

describe('confidential clients', () => {
  it('prove their secret in the form or in the header, which wins (O-10, O-30)', async () => {
    const made = await OAuthClient.register(service.anonymous, { token_endpoint_auth_method: 'client_secret_post' });
    const { code, verifier } = await made.consent(ann, graphId);
    expect(made.secret).toMatch(/^[\w-]{43}$/);
    const basic = (secret: string) => `Basic ${Buffer.from(`${made.id}:${secret}`).toString('base64')}`;
    const fields = { grant_type: 'authorization_code', code, code_verifier: verifier };
    const refused = await made.token(fields, { authorization: basic('wrong') });
    expect([refused.status, refused.body.error]).toEqual([401, 'invalid_client']);
    expect(refused.headers.get('www-authenticate')).toMatch(/^Basic/);
    const accepted = await made.token(
      { ...fields, client_secret: 'wrong' },
      { authorization: basic(made.secret ?? '') },
    );
    expect(accepted.status).toBe(200);
    const stored = await service.store.transaction('kernel', (tx) =>
      tx.query(sql<{ text: string }>`SELECT c::text || f::text || t::text AS text FROM mcp_client c
        JOIN mcp_token_family f ON f.client_id = c.id JOIN mcp_token t ON t.family_id = f.id WHERE c.id = ${made.id}`),
    );
    for (const secret of [made.secret ?? '', code, accepted.body.access_token, accepted.body.refresh_token])
      expect(JSON.stringify(stored)).not.toContain(secret);
  });
});

describe('refresh tokens', () => {
  it('are exchanged for a new pair, which ends the earlier access token (O-34, O-35)', async () => {
    const first = await client.connect(ann, graphId);
    const renewed = await client.refresh(first.refresh_token);
    expect(renewed.status).toBe(200);
    expect([await isLive(first.access_token), await isLive(renewed.body.access_token)]).toEqual([false, true]);
  });

  it('keep working after a request with a wrong resource or a wider scope (O-34)', async () => {
    const { refresh_token } = await client.connect(ann, graphId);
    const wrong = await client.refresh(refresh_token, { resource: resource(`/v1/graphs/${graphId}/mcp`) });
    const wider = await client.refresh(refresh_token, { scope: 'mcp offline_access' });
    expect([wrong.body.error, wider.body.error]).toEqual(['invalid_target', 'invalid_scope']);
    expect((await client.refresh(refresh_token, { resource: `${resource()}/`, scope: 'mcp' })).status).toBe(200);
  });

  it('revoke their family when they are used again (O-34)', async () => {
    const first = await client.connect(ann, graphId);
    const second = await client.refresh(first.refresh_token);
    const replay = await client.refresh(first.refresh_token);
    expect([replay.status, replay.body.error]).toEqual([400, 'invalid_grant']);
    expect(await isLive(second.body.access_token)).toBe(false);
    expect((await client.refresh(second.body.refresh_token)).body.error).toBe('invalid_grant');
    expect(await audited('suspicious_activity')).toContainEqual(
      expect.objectContaining({ reason: 'oauth_refresh_token_reused', risk: 'high' }),
    );
  });

  it('are exchanged once when two requests arrive together, and the family ends (O-34)', async () => {
    const { refresh_token } = await client.connect(ann, graphId);
    const both = await Promise.all([client.refresh(refresh_token), client.refresh(refresh_token)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
    const won = both.find(({ status }) => status === 200);
    expect(await isLive(won?.body.access_token)).toBe(false);
  });

  it('expire after 90 days, and access tokens after an hour (O-32)', async () => {
    const { access_token, refresh_token } = await client.connect(ann, graphId);
    clock.advance(3_599 * 1_000);
    expect(await isLive(access_token)).toBe(true);
    clock.advance(1 * 1_000);
    expect(await isLive(access_token)).toBe(false);
    clock.advance((90 * 86_400 - 3_601) * 1_000);
    const { status, body } = await client.refresh(refresh_token);
    expect(status).toBe(200);
    clock.advance(90 * 86_400 * 1_000);
    expect((await client.refresh(body.refresh_token)).body.error).toBe('invalid_grant');
    await service.service.services.resolve(authorizationServer).expiry.run(clock.now(), new AbortController().signal);
    const left = await service.store.transaction('kernel', (tx) => tx.query(sql`SELECT 1 AS found FROM mcp_token`));
    expect(left).toEqual([]);
    await signInAgain();
  });
});
