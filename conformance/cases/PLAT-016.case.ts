import { defineCase } from '../src/define-case.ts';
import { textAt, valueAt } from '../src/expectations.ts';

export default defineCase({
  id: 'PLAT-016',
  level: 'MUST',
  title: 'a person joins by invitation, works with a role, and loses access as soon as they are removed',
  clause: 'platform U-7, U-20 to U-23, P-3, P-5, K-4',
  requires: ['POST /v1/orgs/{org_id}/invitations'],
  async run({ newUser, anonymous, graph, expectStatus, expectError, expectThat, skip }) {
    const [owner, graphId] = [await graph.owner(), await graph.id()];
    const orgId = textAt(await owner.get('/v1/orgs'), 'orgs.0.id');
    const email = `invited-${graphId.slice(2)}@example.org`;
    const invited = await owner.post(`/v1/orgs/${orgId}/invitations`, { email, role: 'member' });
    if (invited.status === 501) skip('invitations are disabled');
    expectStatus(201, invited);
    const token = valueAt(invited, 'token');
    if (typeof token !== 'string') skip('the deployment mails its invitations');
    expectStatus(200, await anonymous.get(`/v1/auth/invitations/${token}`));
    const person = { name: 'Invited', email, password: 'Harbour-Lantern-42', invite_token: token };
    const wrong = { ...person, email: `x${email}` };
    expectError(400, await anonymous.post('/v1/auth/register', wrong));
    const joined = await anonymous.post('/v1/auth/register', person);
    expectStatus(201, joined);
    expectStatus(404, await anonymous.get(`/v1/auth/invitations/${token}`));
    const session = anonymous.withHeaders({ authorization: `Bearer ${textAt(joined, 'token')}` });
    const userId = textAt(await session.get('/v1/user'), 'id');

    expectError(403, await session.graphql(graphId, '{ hello }'));
    const members = `/v1/graphs/${graphId}/members`;
    expectStatus(201, await owner.post(members, { user_id: userId, role: 'viewer' }));
    const key = textAt(await session.post('/v1/user/api-keys', { name: 'Member' }), 'key');
    const member = anonymous.withHeaders({ 'x-api-key': key });
    expectStatus(200, await member.graphql(graphId, '{ hello }'));
    expectError(403, await member.post(members, { user_id: userId, role: 'admin' }));
    const stranger = await newUser();
    const strangerId = textAt(await stranger.client.get('/v1/user'), 'id');
    expectError(400, await owner.post(members, { user_id: strangerId, role: 'viewer' }));

    expectStatus(204, await owner.delete(`/v1/orgs/${orgId}/members/${userId}`));
    const after = [await member.get('/v1/user'), await session.get('/v1/user')];
    expectThat(
      after.every(({ status }) => status === 401),
      `A removed member must lose access; keys and sessions returned ${after.map(({ status }) => status)}`,
    );
  },
});
