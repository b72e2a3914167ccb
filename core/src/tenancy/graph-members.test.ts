/** @module-tag sessions */
import {
  defineJob,
  definePlugin,
  type EventType,
  graphCreated,
  graphMemberChanged,
  orgMemberAdded,
  orgMemberRemoved,
  userDeactivated,
  userRegistered,
} from '@pacioli/core';
import { joinTeam, orgIdOf, startTestService, type TestClient, type TestService, teamSettings } from '@pacioli/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { KernelSecurityAudit } from '../rows.gen.ts';

/** The events received by a plugin that subscribes to all of them. */
const heard: { name: string; payload: unknown }[] = [];

function listener(name: string, on: EventType) {
  return defineJob({
    name,
    summary: 'Remembers an event.',
    on,
    maxSeconds: 10,
    handle: async ({ payload }) => void heard.push({ name: on.name, payload }),
  });
}

const listening = definePlugin({
  name: 'listening',
  title: 'Listening',
  version: '1.0.0',
  kernel: '^0.1.0',
  jobs: [
    listener('hear-graph', graphCreated),
    listener('hear-grant', graphMemberChanged),
    listener('hear-joining', orgMemberAdded),
    listener('hear-leaving', orgMemberRemoved),
    listener('hear-closing', userDeactivated),
    listener('hear-registration', userRegistered),
  ],
});

let service: TestService;
let owner: TestClient;
let orgId: string;
let ownerId: string;
let graphId: string;
beforeAll(async () => {
  service = await startTestService({ plugins: [listening], settings: teamSettings });
  owner = await service.newUser('Ann');
  orgId = await orgIdOf(owner);
  ownerId = (await owner.get('/v1/user')).body.id;
  graphId = await owner.createGraph('Harbour', []);
});
afterAll(() => service.close());

const membersPath = (id = graphId, userId?: string) =>
  `/v1/graphs/${id}/members${userId === undefined ? '' : `/${userId}`}`;

function grant(userId: string, role?: string, who = owner) {
  return who.post(membersPath(), { user_id: userId, ...(role === undefined ? {} : { role }) });
}

describe('the members of a graph', () => {
  it('are its grants, then the admins by organization role (platform P-1, P-3)', async () => {
    const admin = await joinTeam(service, owner, 'admin');
    const viewer = await joinTeam(service, owner);
    const added = await grant(viewer.userId, 'viewer');
    expect([added.status, added.body.role, added.body.source]).toEqual([201, 'viewer', 'explicit']);
    const { body } = await viewer.client.get(membersPath());
    expect(body).toMatchObject({ total: 3, graph_id: graphId });
    expect(body.members).toMatchObject([
      { user_id: ownerId, role: 'admin', source: 'explicit' },
      { user_id: viewer.userId, role: 'viewer', source: 'explicit' },
      { user_id: admin.userId, role: 'admin', source: 'org_role', granted_at: null },
    ]);
  });

  it('show the stored grant of an organization admin, who remains an admin (platform P-3)', async () => {
    const admin = await joinTeam(service, owner, 'admin');
    expect((await grant(admin.userId, 'viewer')).status).toBe(201);
    const listed = (await owner.get(membersPath())).body.members;
    expect(listed).toContainEqual(
      expect.objectContaining({ user_id: admin.userId, role: 'viewer', source: 'explicit' }),
    );
    expect((await grant('user_unknown', 'viewer', admin.client)).status).toBe(400);
  });

  it('come from the organization, have one grant each, and have access immediately (platform P-3, P-4)', async () => {
    const stranger = await service.newUser('Sam');
    const strangerId = (await stranger.get('/v1/user')).body.id;
    const member = await joinTeam(service, owner);
    expect((await member.client.get(membersPath())).status).toBe(403);
    expect((await grant(strangerId)).status).toBe(400);
    const twice = await Promise.all([grant(member.userId), grant(member.userId)]);
    expect(twice.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect((await member.client.get(membersPath())).status).toBe(200);
    expect((await member.client.post(membersPath(), '{')).status).toBe(403);
    const change = (role: string) => owner.request('PUT', membersPath(graphId, member.userId), { role });
    expect((await change('admin')).body).toMatchObject({ role: 'admin', source: 'explicit' });
    expect((await member.client.post(membersPath(), '{')).status).toBe(422);
    // Graph admins may lower their own role (platform P-3).
    const lowered = await member.client.request('PUT', membersPath(graphId, member.userId), { role: 'viewer' });
    expect(lowered.status).toBe(200);
    expect((await member.client.post(membersPath(), '{')).status).toBe(403);
    expect((await owner.request('DELETE', membersPath(graphId, member.userId))).status).toBe(204);
    expect((await member.client.get(membersPath())).status).toBe(403);
    const audited = await service.store.transaction('kernel', (tx) =>
      tx.query<Pick<KernelSecurityAudit, 'event_type'>>(sql`
        SELECT event_type FROM kernel_security_audit
        WHERE graph_id = ${graphId} AND details ->> 'member' = ${member.userId} ORDER BY at, id`),
    );
    expect(audited.map(({ event_type }) => event_type)).toEqual([
      'graph_member_added',
      'graph_member_changed',
      'graph_member_changed',
      'graph_member_removed',
    ]);
  });

  it('without a grant are 404, with a hint for admins by organization role (platform P-3)', async () => {
    const admin = await joinTeam(service, owner, 'admin');
    const member = await joinTeam(service, owner);
    for (const method of ['PUT', 'DELETE']) {
      const call = (userId: string) => owner.request(method, membersPath(graphId, userId), { role: 'viewer' });
      const [implicit, none] = [await call(admin.userId), await call(member.userId)];
      expect([implicit.status, none.status]).toEqual([404, 404]);
      expect(implicit.body.detail).toContain('admin of the organization');
      expect(none.body.detail).toBe('User has no access to this graph');
    }
  });

  it('of a subgraph are those of its parent and are changed there (platform P-1, P-3)', async () => {
    const member = await joinTeam(service, owner);
    await grant(member.userId, 'viewer');
    const subgraph = `${graphId}_branch`;
    await service.store.transaction('kernel', (tx) =>
      tx.query(sql`
        INSERT INTO kernel_graph (graph_id, org_id, name, graph_type, tier, status, parent_id, created_by, created_at,
          updated_at)
        VALUES (${subgraph}, ${orgId}, 'Branch', 'entity', 'ladybug-standard', 'active', ${graphId}, ${ownerId}, now(),
          now())`),
    );
    const listed = await member.client.get(membersPath(subgraph));
    expect([listed.status, listed.body.graph_id]).toEqual([200, subgraph]);
    expect(listed.body.members).toEqual((await owner.get(membersPath())).body.members);
    const answers = [
      await owner.post(membersPath(subgraph), { user_id: member.userId }),
      await owner.request('PUT', membersPath(subgraph, member.userId), { role: 'admin' }),
      await owner.request('DELETE', membersPath(subgraph, member.userId)),
    ];
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400]);
  });
});

describe('plugins', () => {
  it('receive events when users and grants are added and removed (platform X-4)', async () => {
    const member = await joinTeam(service, owner);
    await grant(member.userId, 'viewer');
    await owner.request('DELETE', membersPath(graphId, member.userId));
    expect((await owner.request('DELETE', `/v1/orgs/${orgId}/members/${member.userId}`)).status).toBe(204);
    const of = (userId: string) =>
      heard.filter(({ payload }) => JSON.stringify(payload).includes(`"user_id":"${userId}"`));
    await expect.poll(() => of(member.userId).length, { timeout: 300_000 }).toBe(6);
    const user = { user_id: member.userId };
    for (const expected of [
      { name: 'kernel.user-registered', payload: { ...user, org_id: orgId } },
      { name: 'kernel.org-member-added', payload: { ...user, org_id: orgId, role: 'member' } },
      { name: 'kernel.graph-member-changed', payload: { ...user, graph_id: graphId, role: 'viewer' } },
      { name: 'kernel.graph-member-changed', payload: { ...user, graph_id: graphId, role: null } },
      { name: 'kernel.org-member-removed', payload: { ...user, org_id: orgId, removed_by: ownerId } },
      { name: 'kernel.user-deactivated', payload: { ...user, reason: 'left_organization' } },
    ]) {
      expect(of(member.userId)).toContainEqual(expected);
    }
  });

  it('receive one event for each new graph (platform X-4)', async () => {
    const created = await owner.createGraph('Pier', []);
    const payload = { graph_id: created, org_id: orgId, tier: 'ladybug-standard', created_by: ownerId };
    const told = () => heard.filter((event) => JSON.stringify(event.payload).includes(created));
    await expect.poll(told, { timeout: 300_000 }).toEqual([{ name: 'kernel.graph-created', payload }]);
  });
});
