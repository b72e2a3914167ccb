/** @module-tag sessions */

import { sql } from '@pacioli/core';
import { describe, expect, it } from 'vitest';
import { authorizationServer } from '../src/authorization/authorization-server.ts';
import {
  ann,
  client,
  clock,
  grantsOf,
  graphId,
  isLive,
  service,
  useAuthorization,
  verify,
} from './authorization-fixture.ts';
import { OAuthClient, pkce } from './oauth-client.ts';

/** Goal: access ends when a client, a user or the deployment ends it, at the next request. Method: HTTP, as clients do. */
useAuthorization();

describe('revocation', () => {
  it('ends the family of a refresh token, or one access token, and always succeeds (O-36)', async () => {
    const one = await client.connect(ann, graphId);
    expect(await client.revoke(one.access_token)).toMatchObject({ status: 200, body: {} });
    expect(await isLive(one.access_token)).toBe(false);
    const two = await client.refresh(one.refresh_token);
    expect(two.status, 'the family lives').toBe(200);
    await client.revoke(two.body.refresh_token);
    expect(await isLive(two.body.access_token)).toBe(false);
    expect((await client.revoke('rfso-nonsense')).status).toBe(200);
  });

  it('leaves the tokens of other clients alone (O-36)', async () => {
    const { access_token } = await client.connect(ann, graphId);
    const other = await OAuthClient.register(service.anonymous);
    expect((await other.revoke(access_token)).status).toBe(200);
    expect(await isLive(access_token)).toBe(true);
  });

  it('of a grant ends its tokens at the next request (O-37, O-43)', async () => {
    const { access_token, refresh_token } = await client.connect(ann, graphId);
    const { grantId } = (await verify(access_token)) as { grantId: string };
    expect((await ann.request('DELETE', `/v1/user/oauth/grants/${grantId}`)).status).toBe(200);
    expect(await isLive(access_token)).toBe(false);
    expect((await client.refresh(refresh_token)).body.error).toBe('invalid_grant');
  });

  it('follows from a new password (O-37)', async () => {
    const lea = await service.newUser('Lea');
    const own = await lea.createGraph('Quay Books', []);
    const { access_token } = await client.connect(lea, own);
    const change = {
      current_password: 'Harbour-Lantern-42',
      new_password: 'Quay-Beacon-4711',
      confirm_password: 'Quay-Beacon-4711',
    };
    expect((await lea.put('/v1/user/password', change)).status).toBe(200);
    expect(await isLive(access_token)).toBe(false);
  });

  it('follows from the deactivation of the client (O-13, O-37)', async () => {
    const other = await OAuthClient.register(service.anonymous);
    const { access_token, refresh_token } = await other.connect(ann, graphId);
    const { clients } = service.service.services.resolve(authorizationServer);
    expect([await clients.deactivate(other.id), await clients.deactivate('nobody')]).toEqual([true, false]);
    expect(await isLive(access_token)).toBe(false);
    expect((await other.refresh(refresh_token)).body.error).toBe('invalid_client');
    expect((await other.authorize({ code_challenge: pkce().challenge })).status).toBe(400);
  });
});

describe('access tokens', () => {
  it('are refused on every other route (O-41)', async () => {
    const { access_token } = await client.connect(ann, graphId);
    const bearer = service.anonymous.withHeaders({ authorization: `Bearer ${access_token}` });
    const key = service.anonymous.withHeaders({ 'x-api-key': access_token });
    for (const caller of [bearer, key]) {
      const answers = [
        await caller.get('/v1/graphs'),
        await caller.get('/v1/user'),
        await caller.get('/v1/user/oauth/grants'),
        await caller.get(`/v1/graphs/${graphId}/members`),
        await caller.post(`/v1/graphs/${graphId}/operations/update-graph-metadata`),
        await caller.graphql(graphId, '{ hello }'),
        await caller.post('/v1/oauth/authorize/x/decision', { approved: true }),
      ];
      expect(answers.map(({ status }) => status)).toEqual(Array(7).fill(401));
    }
  });

  it('give no access after the user lost the graph (O-40)', async () => {
    const max = await service.newUser('Max');
    const own = await max.createGraph('Pier Books', []);
    const { access_token } = await client.connect(max, own);
    await service.store.transaction('kernel', (tx) =>
      tx.query(sql`UPDATE kernel_graph SET status = 'deprovisioned' WHERE graph_id = ${own}`),
    );
    clock.advance(5 * 1_000);
    expect(await verify(access_token)).toMatchObject({ refused: 'insufficient_scope' });
  });

  it('are stamped on their grant, at most once a minute (O-38)', async () => {
    const lastUse = async (grantId: string) =>
      (await grantsOf(ann)).find(({ id }: { readonly id: string }) => id === grantId)?.last_used_at;
    const { access_token } = await client.connect(ann, graphId);
    const first = clock.now().toISOString();
    const { grantId } = (await verify(access_token)) as { grantId: string };
    await expect.poll(() => lastUse(grantId)).toBe(first);
    clock.advance(59 * 1_000);
    await verify(access_token);
    // The stamp of another grant, which is written later, shows that this one is not written.
    const other = await OAuthClient.register(service.anonymous);
    const later = (await verify((await other.connect(ann, graphId)).access_token)) as { grantId: string };
    await expect.poll(() => lastUse(later.grantId)).toBe(clock.now().toISOString());
    expect(await lastUse(grantId)).toBe(first);
    clock.advance(2 * 1_000);
    await verify(access_token);
    await expect.poll(() => lastUse(grantId)).toBe(clock.now().toISOString());
  });
});
