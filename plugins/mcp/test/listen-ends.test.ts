/**
 * Goal: a stream ends when its caller loses access, in whatever process, and when the service stops. Method: streams over
 * HTTP; an end is the last message of the protocol and the end of the body.
 */
import { joinTeam, type TestClient } from '@pacioli/testing';
import { describe, expect, it } from 'vitest';
import {
  keyOf,
  type Listening,
  listen,
  newReader,
  other,
  post,
  type Reader,
  service,
  store,
  useStreams,
} from './listen-fixture.ts';
import { OAuthClient } from './oauth-client.ts';

useStreams();

const all = { toolsListChanged: true, resourcesListChanged: true };
const ended = [{ id: 7, result: { resultType: 'complete' } }];

/** A graph with a member, and a stream of the member in the other process. */
async function openAsMember(name: string): Promise<{ owner: Reader; memberId: string; stream: Listening }> {
  const owner = await newReader(name);
  const { client, userId } = await joinTeam(service, owner.client);
  await owner.client.post(`/v1/graphs/${owner.graphId}/members`, { user_id: userId, role: 'member' });
  const stream = await listen({ graphId: owner.graphId, headers: await keyOf(client) }, all, other);
  return { owner, memberId: userId, stream };
}

describe('a stream ends', () => {
  it('when its member is removed, before it tells of anything else (ai-surface M-20f)', async () => {
    const { owner, memberId, stream } = await openAsMember('Rose');
    await owner.client.request('DELETE', `/v1/graphs/${owner.graphId}/members/${memberId}`);
    await store(owner, { title: 'Secret', content: 'Text.' });
    expect(await stream.rest()).toMatchObject(ended);
  });

  it('when its user leaves the organization', async () => {
    const { owner, memberId, stream } = await openAsMember('Iris');
    const { orgs } = (await owner.client.get('/v1/orgs')).body;
    expect((await owner.client.request('DELETE', `/v1/orgs/${orgs[0].id}/members/${memberId}`)).status).toBe(204);
    expect(await stream.rest()).toMatchObject(ended);
  });

  it('when its graph is deleted', async () => {
    const reader = await newReader('Gil');
    const stream = await listen(reader, all, other);
    await reader.client.post(`/v1/graphs/${reader.graphId}/operations/delete-graph`, { confirm: reader.graphId });
    expect(await stream.rest()).toMatchObject(ended);
  });

  it('when its key is revoked, unlike that of another key of the user', async () => {
    const reader = await newReader('Kim');
    const stream = await listen(reader, all, other);
    const kept = await listen({ ...reader, headers: await keyOf(reader.client) }, all, other);
    const oldest = (await reader.client.get('/v1/user/api-keys')).body.api_keys.at(-1);
    expect((await reader.client.request('DELETE', `/v1/user/api-keys/${oldest.id}`)).status).toBeLessThan(300);
    expect(await stream.rest()).toMatchObject(ended);
    await store(reader, { title: 'Kept', content: 'Text.' });
    expect(await kept.next()).toMatchObject({ method: 'notifications/resources/list_changed' });
  });

  it('when its session ends', async () => {
    const reader = await newReader('Sol');
    const stream = await listen({ ...reader, headers: reader.client.headers }, all, other);
    expect((await reader.client.post('/v1/auth/logout')).status).toBe(200);
    expect(await stream.rest()).toMatchObject(ended);
  });

  it('when its grant or its token is revoked, or its user has a new password (ai-surface O-36, O-37)', async () => {
    const ends: ((user: TestClient, client: OAuthClient, token: string) => Promise<unknown>)[] = [
      async (user) => {
        const { grants } = (await user.get('/v1/user/oauth/grants')).body;
        return user.request('DELETE', `/v1/user/oauth/grants/${grants[0].id}`);
      },
      (_user, client, token) => client.revoke(token),
      (user) =>
        user.put('/v1/user/password', {
          current_password: 'Harbour-Lantern-42',
          new_password: 'Quay-Beacon-4711',
          confirm_password: 'Quay-Beacon-4711',
        }),
    ];
    for (const end of ends) {
      const { client: user, graphId } = await newReader('Una');
      const client = await OAuthClient.register(service.anonymous);
      const resource = `${service.url}/v1/graphs/${graphId}/mcp`;
      const { access_token } = await client.connect(user, graphId, { resource });
      const stream = await listen({ graphId, headers: { authorization: `Bearer ${access_token}` } }, all);
      await end(user, client, access_token);
      expect(await stream.rest()).toMatchObject(ended);
    }
  });

  it('when the service stops, which takes no further ones (platform H-5)', async () => {
    const reader = await newReader('Zoe');
    const stream = await listen(reader, all, other);
    await other.service.drain();
    expect(await stream.rest()).toMatchObject(ended);
    const late = await post(reader, 'subscriptions/listen', { notifications: all }, { at: other });
    expect((await late.text()).split('\n').filter((line) => line.startsWith('data: '))).toHaveLength(2);
  });
});
