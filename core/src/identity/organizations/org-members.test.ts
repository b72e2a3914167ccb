/** @module-tag sessions */
import { contribute, definePlugin, ServiceError, sql } from '@pacioli/core';
import {
  fixedClock,
  joinTeam,
  orgIdOf,
  startTestService,
  type TestClient,
  type TestService,
  teamSettings,
} from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { memberDepartures } from '../../tenancy/member-departure.ts';

/** Test double for the billing plugin and its payment provider. */
const departures = { refuses: false, seen: [] as string[] };
const payingPlugin = definePlugin({
  name: 'paying',
  title: 'Paying',
  version: '1.0.0',
  kernel: '^0.1.0',
  contributions: [
    contribute(memberDepartures, 'paying', {
      create: () => ({
        counts: 'repository_subscriptions',
        depart: async ({ userId }) => {
          if (departures.refuses) throw new ServiceError('upstream', 'PAYMENT_PROVIDER_ERROR', 'The provider refused.');
          departures.seen.push(userId);
          return 2;
        },
      }),
    }),
  ],
});

let service: TestService;
beforeAll(async () => {
  service = await startTestService({
    plugins: [payingPlugin],
    clock: fixedClock('2026-03-02T09:00:00Z'),
    settings: teamSettings,
  });
});
afterAll(() => service.close());

async function newTeam() {
  const owner = await service.newUser('Ann');
  const orgId = await orgIdOf(owner);
  const me = (await owner.get('/v1/user')).body;
  return { owner, orgId, ownerId: me.id as string, path: `/v1/orgs/${orgId}` };
}

async function rows<Row>(statement: ReturnType<typeof sql<Row>>): Promise<readonly Row[]> {
  return service.store.transaction('kernel', (tx) => tx.query(statement));
}

async function auditOf(orgId: string, type: string) {
  const found = await rows(sql<{ details: Record<string, unknown> }>`
    SELECT details FROM kernel_security_audit WHERE org_id = ${orgId} AND event_type = ${type} ORDER BY at, id`);
  return found.map(({ details }) => details);
}

const statusOf = async (answer: Promise<{ status: number }>): Promise<number> => (await answer).status;

describe('an organization', () => {
  it('is renamed by owners and admins; only an owner changes its type (platform U-2)', async () => {
    const { owner, path, orgId } = await newTeam();
    const admin = await joinTeam(service, owner, 'admin');
    const member = await joinTeam(service, owner);
    const renamed = await admin.client.request('PUT', path, { name: '  Harbour <b>Books</b> ' });
    expect([renamed.status, renamed.body.name, renamed.body.user_role]).toEqual([200, 'Harbour Books', 'admin']);
    expect(await statusOf(admin.client.request('PUT', path, { org_type: 'enterprise' }))).toBe(403);
    expect(await statusOf(member.client.request('PUT', path, { name: 'Mine' }))).toBe(403);
    const typed = await owner.request('PUT', path, { org_type: 'enterprise', name: null });
    expect(typed.body).toMatchObject({ name: 'Harbour Books', org_type: 'enterprise' });
    expect(await statusOf(owner.request('PUT', path, { name: '<i></i>' }))).toBe(400);
    expect(await auditOf(orgId, 'org_updated')).toHaveLength(2);
  });

  it('refuses non-members on every path, whether or not it exists (platform U-4)', async () => {
    const { path } = await newTeam();
    const stranger = await service.newUser('Sam');
    const calls = (at: string) => [
      stranger.get(at),
      stranger.get(`${at}/limits`),
      stranger.get(`${at}/invitations`),
      stranger.request('PUT', at, {}),
      stranger.post(`${at}/invitations`, { email: 'x@example.org' }),
      stranger.request('PUT', `${at}/members/user_1`, { role: 'admin' }),
      stranger.request('DELETE', `${at}/members/user_1`),
      stranger.request('DELETE', `${at}/invitations/orginv_1`),
    ];
    const seen = await Promise.all([...calls(path), ...calls('/v1/orgs/org_unknown')]);
    expect(new Set(seen.map((answer) => `${answer.status} ${answer.body.detail}`))).toEqual(
      new Set(['403 You are not a member of this organization']),
    );
  });

  it('warns of its graph limit from 90%, and never without a limit (platform U-9)', async () => {
    const { owner, path, orgId, ownerId } = await newTeam();
    const member = await joinTeam(service, owner);
    const add = (from: number, to: number) =>
      rows(sql`
        INSERT INTO kernel_graph (graph_id, org_id, name, graph_type, tier, status, created_by, created_at, updated_at)
        SELECT 'kg' || lpad(to_hex(n), 20, '0'), ${orgId}, 'G', 'entity', 'ladybug-standard', 'active', ${ownerId},
          now(), now() FROM generate_series(${from}::int, ${to}::int) n`);
    await add(1, 8);
    expect((await owner.get(`${path}/limits`)).body).toEqual({
      org_id: orgId,
      max_graphs: 10,
      current_usage: { graphs: { current: 8, limit: 10, remaining: 2 } },
      warnings: [],
      can_create_graph: true,
    });
    await add(9, 9);
    const near = (await member.client.get(`${path}/limits`)).body;
    expect([near.warnings, near.can_create_graph]).toEqual([['Approaching graph limit (9/10)'], false]);
    await rows(sql`UPDATE kernel_org SET graphs_max = -1 WHERE id = ${orgId}`);
    const free = (await owner.get(`${path}/limits`)).body;
    expect([free.max_graphs, free.warnings, free.can_create_graph]).toEqual([-1, [], true]);
    await rows(sql`DELETE FROM kernel_graph WHERE org_id = ${orgId}`);
  });
});

describe('the role of a member', () => {
  it('is changed by owners and admins, effective at once and audited (platform U-6, P-4)', async () => {
    const { owner, path, orgId } = await newTeam();
    const admin = await joinTeam(service, owner, 'admin');
    const member = await joinTeam(service, owner);
    expect(await statusOf(member.client.post('/v1/graphs', '{'))).toBe(403);
    const promoted = await admin.client.request('PUT', `${path}/members/${member.userId}`, { role: 'admin' });
    expect([promoted.status, promoted.body.role, promoted.body.email]).toEqual([200, 'admin', member.email]);
    expect(await statusOf(member.client.post('/v1/graphs', '{'))).toBe(422);
    expect(await statusOf(member.client.request('PUT', `${path}/members/${admin.userId}`, { role: 'member' }))).toBe(
      200,
    );
    expect(await auditOf(orgId, 'org_member_role_changed')).toEqual([
      { member: member.userId, from: 'member', to: 'admin' },
      { member: admin.userId, from: 'admin', to: 'member' },
    ]);
  });

  it('cannot be changed by oneself, for an owner, or to owner (platform U-3, U-6)', async () => {
    const { owner, ownerId, path } = await newTeam();
    const admin = await joinTeam(service, owner, 'admin');
    const member = await joinTeam(service, owner);
    const change = async (who: TestClient, userId: string, role: string) => {
      const answer = await who.request('PUT', `${path}/members/${userId}`, { role });
      return [answer.status, answer.body.detail];
    };
    expect(await change(owner, ownerId, 'member')).toEqual([400, 'You cannot change your own role']);
    expect((await change(admin.client, ownerId, 'member'))[0]).toBe(400);
    expect((await change(owner, member.userId, 'owner'))[0]).toBe(400);
    expect((await change(owner, 'user_unknown', 'admin'))[0]).toBe(404);
    expect((await change(member.client, admin.userId, 'member'))[0]).toBe(403);
  });
});

describe('removing a member', () => {
  it('ends the member’s access, deactivates the account and audits the counts (platform U-7, L-21)', async () => {
    const { owner, path, orgId } = await newTeam();
    const member = await joinTeam(service, owner);
    const graphId = await owner.createGraph('Shared', []);
    expect(await statusOf(owner.post(`/v1/graphs/${graphId}/members`, { user_id: member.userId }))).toBe(201);
    const key = await member.client.post('/v1/user/api-keys', { name: 'reader', graph_id: graphId });
    const byKey = service.anonymous.withHeaders({ 'x-api-key': key.body.key });
    expect(await statusOf(byKey.get('/v1/graphs'))).toBe(200);
    await rows(sql`
      INSERT INTO kernel_operation (id, graph_id, user_id, name, runs, status, created_at, updated_at)
      VALUES ('op_01JQ0000000000000000000001', ${graphId}, ${member.userId}, 'waits', 'worker', 'awaiting_input', now(), now())`);

    expect(await statusOf(owner.request('DELETE', `${path}/members/${member.userId}`))).toBe(204);

    expect(await statusOf(byKey.get('/v1/graphs'))).toBe(401);
    expect(await statusOf(member.client.get('/v1/user'))).toBe(401);
    expect((await owner.get(`${path}/members`)).body.total).toBe(1);
    expect((await owner.get(`/v1/graphs/${graphId}/members`)).body.total).toBe(1);
    const run = (await owner.get('/v1/operations/op_01JQ0000000000000000000001/status')).body;
    expect(run.status).toBe('cancelled');
    expect(await auditOf(orgId, 'org_member_removed')).toEqual([
      { member: member.userId, repository_subscriptions: 2, graph_grants: 1, api_keys: 1, operations: 1 },
    ]);
    expect(departures.seen).toContain(member.userId);
  });

  it('fails with 502 and changes nothing if a provider refuses to end a subscription (platform U-7)', async () => {
    const { owner, path } = await newTeam();
    const member = await joinTeam(service, owner);
    departures.refuses = true;
    const answer = await owner.request('DELETE', `${path}/members/${member.userId}`);
    departures.refuses = false;
    expect([answer.status, answer.body.code]).toEqual([502, 'PAYMENT_PROVIDER_ERROR']);
    expect(await statusOf(member.client.get('/v1/user'))).toBe(200);
    expect((await owner.get(`${path}/members`)).body.total).toBe(2);
  });

  it('is allowed for owners and admins, with limits on owners and oneself (platform U-7)', async () => {
    const { owner, ownerId, path } = await newTeam();
    const admin = await joinTeam(service, owner, 'admin');
    const [first, second] = [await joinTeam(service, owner), await joinTeam(service, owner)];
    const remove = async (who: TestClient, userId: string) => {
      const answer = await who.request('DELETE', `${path}/members/${userId}`);
      return answer.status === 204 ? 204 : [answer.status, answer.body.detail];
    };
    expect(await remove(first.client, second.userId)).toEqual([
      403,
      'Only owners and admins of the organization may remove members',
    ]);
    expect(await remove(admin.client, ownerId)).toEqual([403, 'Only an owner may remove an owner']);
    expect(await remove(owner, ownerId)).toEqual([400, 'Organization must have at least one owner']);
    expect(await remove(admin.client, admin.userId)).toEqual([
      400,
      'You cannot remove yourself. Ask another owner or admin of the organization.',
    ]);
    expect(await remove(admin.client, 'user_unknown')).toEqual([404, 'User is not a member of this organization']);
    expect(await remove(first.client, first.userId)).toBe(204);
    expect(await remove(admin.client, second.userId)).toBe(204);
  });

  it('leaves one owner when two owners remove each other concurrently (platform U-8)', async () => {
    const { owner, ownerId, orgId, path } = await newTeam();
    const other = await joinTeam(service, owner, 'admin');
    await rows(sql`UPDATE kernel_org_user SET role = 'owner' WHERE user_id = ${other.userId}`);
    const answers = await Promise.all([
      owner.request('DELETE', `${path}/members/${other.userId}`),
      other.client.request('DELETE', `${path}/members/${ownerId}`),
    ]);
    const left = await rows(sql`SELECT 1 FROM kernel_org_user WHERE org_id = ${orgId} AND role = 'owner'`);
    expect(left).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
  });
});
