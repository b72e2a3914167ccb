/** @module-tag sessions */

import { describe, expect, it } from 'vitest';
import { authorizationServer } from '../src/authorization/authorization-server.ts';
import { ann, client, clock, graphId, service, signInAgain, useAuthorization } from './authorization-fixture.ts';
import { OAuthClient, redirect } from './oauth-client.ts';

/** Goal: the endpoints for clients take only what ai-surface 6 says, and bound it. Method: HTTP, as clients do. */
useAuthorization();

describe('the token endpoint', () => {
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  const send = (body: string, headers = type) => service.anonymous.request('POST', '/v1/oauth/token', body, headers);
  it('accepts only forms with each field once and at most 4,096 characters (O-30)', async () => {
    const id = `client_id=${client.id}`;
    const refused = [
      await send(`{"client_id":"${client.id}"}`, { 'content-type': 'application/json' }),
      await send(`${id}&grant_type=refresh_token&grant_type=refresh_token`),
      await send(`${id}&grant_type=refresh_token&refresh_token=${'r'.repeat(4_097)}`),
      await send(id),
      await send(`${id}&grant_type=authorization_code`),
      await send(`${id}&grant_type=refresh_token`),
    ];
    expect(refused.map(({ status, body }) => [status, body.error])).toEqual(Array(6).fill([400, 'invalid_request']));
    const longest = await send(`${id}&grant_type=refresh_token&refresh_token=${'r'.repeat(4_096)}`);
    expect(longest.body.error).toBe('invalid_grant');
    expect((await send(`${id}&grant_type=password`)).body.error).toBe('unsupported_grant_type');
  });

  it('accepts forms of 50 fields, and refuses longer ones (O-30)', async () => {
    const filled = (fields: number) =>
      `client_id=${client.id}&grant_type=password${Array.from({ length: fields - 2 }, (_, n) => `&x${n}=1`).join('')}`;
    const [longest, refused] = [await send(filled(50)), await send(filled(51))];
    expect([longest.body.error, refused.body.error]).toEqual(['unsupported_grant_type', 'invalid_request']);
  });

  it('answers an unknown client, and a secret of a public one, with 401 (O-13, O-30)', async () => {
    const refused = [
      await send('grant_type=refresh_token'),
      await send('client_id=mcpc_unknown&grant_type=refresh_token'),
      await send(`client_id=${client.id}&client_secret=x&grant_type=refresh_token`),
      await send('grant_type=refresh_token', { ...type, authorization: 'Basic !!' } as typeof type),
      await send('grant_type=refresh_token', { ...type, authorization: `Basic ${btoa('%zz:x')}` } as typeof type),
    ];
    expect(refused.map(({ status, body }) => [status, body.error])).toEqual(Array(5).fill([401, 'invalid_client']));
  });
});

describe('the authorization endpoint', () => {
  it('refuses a parameter that occurs twice, also one that it does not know, and redirects nobody (O-20)', async () => {
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: client.id,
      redirect_uri: redirect,
      code_challenge: 'a'.repeat(43),
      code_challenge_method: 'S256',
    });
    const begin = async (more: string) => {
      const answered = await fetch(`${service.url}/v1/oauth/authorize?${query}${more}`, { redirect: 'manual' });
      return [answered.status, answered.headers.get('location') === null];
    };
    expect(await begin('&other=1')).toEqual([302, false]);
    for (const [name, value] of [...query, ['state', 's'], ['other', '1']] as const) {
      const twice = query.has(name) ? '' : `&${name}=${value}`;
      expect(await begin(`${twice}&${name}=${encodeURIComponent(value)}`), name).toEqual([400, true]);
    }
  });

  it('refuses U+0000 in a client id and in a state, also at the token endpoint (O-13, O-20)', async () => {
    const challenge = { code_challenge: 'a'.repeat(43) };
    const unknown = await client.authorize({ ...challenge, client_id: 'mcpc_\0' });
    const unknownBody = (await unknown.json()) as { readonly error: string };
    expect([unknown.status, unknownBody.error]).toEqual([400, 'invalid_client']);
    const token = await client.token({ client_id: 'mcpc_\0', grant_type: 'refresh_token', refresh_token: 'x' });
    expect([token.status, token.body.error]).toEqual([401, 'invalid_client']);
    const state = await client.authorize({ ...challenge, state: 'a\0' });
    expect(new URL(state.headers.get('location') ?? '').searchParams.get('error')).toBe('invalid_request');
  });

  it('sends codes in the query only (O-1, O-20)', async () => {
    const challenge = { code_challenge: 'a'.repeat(43) };
    const refused = await client.authorize({ ...challenge, response_mode: 'fragment' });
    expect(new URL(refused.headers.get('location') ?? '').searchParams.get('error')).toBe('invalid_request');
    expect((await client.authorize({ ...challenge, response_mode: 'query' })).status).toBe(302);
  });

  it('trusts a well-known host at its own port only (O-12)', async () => {
    const trustOf = async (redirectUri: string) => {
      const app = await OAuthClient.register(service.anonymous, { redirect_uris: [redirectUri] });
      const id = await app.begin({ code_challenge: 'a'.repeat(43), redirect_uri: redirectUri });
      return (await ann.get(`/v1/oauth/authorize/${id}`)).body.is_trusted;
    };
    expect(await trustOf('https://claude.ai/cb')).toBe(true);
    expect(await trustOf('https://claude.ai:8443/cb')).toBe(false);
  });

  it('knows no graph whose id is impossible, as a resource and in a decision (O-3, O-23)', async () => {
    const challenge = { code_challenge: 'a'.repeat(43) };
    const refused = await client.authorize({ ...challenge, resource: `${service.url}/v1/graphs/zz/mcp` });
    expect(new URL(refused.headers.get('location') ?? '').searchParams.get('error')).toBe('invalid_target');
    const id = await client.begin(challenge);
    const decided = await ann.post(`/v1/oauth/authorize/${id}/decision`, { approved: true, graph_id: 'zz' });
    expect([decided.status, decided.body.detail]).toEqual([400, 'graph_id is not the id of a graph']);
  });
});

describe('registration', () => {
  it('is refused for the 51st client of an address in a day (O-10)', async () => {
    const { clients } = service.service.services.resolve(authorizationServer);
    const register = () => clients.register({ redirect_uris: [redirect] }, '203.0.113.9');
    for (let made = 0; made < 50; made += 1) await register();
    await expect(register()).rejects.toMatchObject({ code: 'too_many_requests' });
    clock.advance(86_400_000);
    expect((await register()).client.name).toBe('MCP client');
    await signInAgain();
  });

  it('that is not used expires after 30 days, and a used one does not (O-10)', async () => {
    const [used, unused] = [
      await OAuthClient.register(service.anonymous),
      await OAuthClient.register(service.anonymous),
    ];
    await used.connect(ann, graphId);
    clock.advance(30 * 86_400_000);
    const answers = [used, unused].map(
      async (each) => (await each.authorize({ code_challenge: 'a'.repeat(43) })).status,
    );
    expect(await Promise.all(answers)).toEqual([302, 400]);
  });

  it('accepts JSON of a bounded length only, with refusals of RFC 7591 (O-10)', async () => {
    const send = (body: string, type = 'application/json') =>
      service.anonymous.request('POST', '/v1/oauth/register', body, { 'content-type': type });
    const redirects = (uri: string) => JSON.stringify({ redirect_uris: [uri] });
    const refused = [
      await send('{'),
      await send('x=1', 'application/x-www-form-urlencoded'),
      await send(JSON.stringify({ redirect_uris: [redirect], client_name: 'x'.repeat(64 * 1024) })),
      await send(redirects('javascript:alert(1)')),
      await send(redirects('http://evil.example/cb')),
    ];
    expect(refused.map(({ status, body }) => [status, body.error])).toEqual([
      [400, 'invalid_client_metadata'],
      [400, 'invalid_client_metadata'],
      [400, 'invalid_client_metadata'],
      [400, 'invalid_redirect_uri'],
      [400, 'invalid_redirect_uri'],
    ]);
  });
});
