/** @module-tag sessions */
// Goal: the role that an operation declares is enforced for every role, state of a graph and kind of stranger.
// Method: a real service with one operation for each role; rows of members and states are inserted directly.
import { fixedClock, startTestService, type TestClient, type TestService } from '@pacioli/testing';
import { sql } from 'kysely';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { backgroundWrites, securityAudit } from '../audit/security-audit.ts';
import { defineOperation } from '../define/operation.ts';
import { definePlugin } from '../define/plugin.ts';
import type { RequiredRole } from '../define/required-role.ts';
import { sessionTokens } from '../identity/sessions/session-token.ts';
import { StoreAuthenticator } from '../identity/sessions/store-authenticator.ts';
import { model } from '../schema/model.ts';
import type { Store } from '../store/store.ts';
import { StoredGraphAccess } from './graph-access.ts';

const roles: readonly RequiredRole[] = ['viewer', 'member', 'admin', 'owner'];
const operationOf = (role: RequiredRole) =>
  defineOperation({
    name: `do-as-${role}`,
    summary: `Something for a caller who is at least ${role}.`,
    role,
    openapi: { id: `do_as_${role}`, tag: 'gate' },
    mcp: { held: 'Only for tests.' },
    input: model(`DoAs_${role}`, { word: Type.Optional(Type.String()) }),
    output: model(`Done_${role}`, { role: Type.String() }),
    handle: async ({ ctx }) => ({ role: ctx.graph.role }),
  });
const gate = definePlugin({
  name: 'gate',
  title: 'Gate',
  version: '0.1.0',
  kernel: '^0.1.0',
  domain: 'gate',
  operations: roles.map(operationOf),
});

const clock = fixedClock('2026-03-02T09:00:00Z');
let service: TestService;
let owner: TestClient;
let graphId: string;

beforeAll(async () => {
  service = await startTestService({ plugins: [gate], clock });
  owner = await service.newUser('Owner');
  graphId = await owner.createGraph('Harbour', ['gate']);
});
afterAll(() => service.close());

async function idOf(user: TestClient): Promise<string> {
  return (await user.get('/v1/user')).body.id;
}

/** Moves a new user into the owner's organization and grants a role on the graph. */
async function colleague(orgRole: string, graphRole?: string): Promise<TestClient> {
  const user = await service.newUser('Colleague');
  const userId = await idOf(user);
  const ownerId = await idOf(owner);
  await service.store.transaction('kernel', async (tx) => {
    await tx.query(sql`UPDATE kernel_org_user SET role = ${orgRole},
      org_id = (SELECT org_id FROM kernel_org_user WHERE user_id = ${ownerId}) WHERE user_id = ${userId}`);
    if (graphRole === undefined) return;
    await tx.query(sql`INSERT INTO kernel_graph_user (graph_id, user_id, role, created_at)
      VALUES (${graphId}, ${userId}, ${graphRole}, ${clock.now()})`);
  });
  clock.advance(2_000);
  return user;
}

async function statusesOf(user: TestClient): Promise<readonly number[]> {
  const answers = await Promise.all(roles.map((role) => call(user, role)));
  return answers.map((answer) => answer.status);
}

function call(user: TestClient, role: RequiredRole, id = graphId) {
  return user.post(`/extensions/gate/${id}/operations/do-as-${role}`);
}

async function setStatus(id: string, status: string): Promise<void> {
  await service.store.transaction('kernel', (tx) =>
    tx.query(sql`UPDATE kernel_graph SET status = ${status} WHERE graph_id = ${id}`),
  );
  clock.advance(2_000);
}

describe('the role that an operation requires', () => {
  it('is enforced for every role (platform P-1, P-10 to P-17)', async () => {
    expect(await statusesOf(await colleague('member', 'viewer'))).toEqual([200, 403, 403, 403]);
    expect(await statusesOf(await colleague('member', 'member'))).toEqual([200, 200, 403, 403]);
    expect(await statusesOf(await colleague('member', 'admin'))).toEqual([200, 200, 200, 403]);
    expect(await statusesOf(await colleague('admin', 'viewer'))).toEqual([200, 200, 200, 403]);
    expect(await statusesOf(await colleague('admin'))).toEqual([200, 200, 200, 403]);
    expect(await statusesOf(owner)).toEqual([200, 200, 200, 200]);
  });

  it('is named in the refusal and checked before the body (platform P-5)', async () => {
    const viewer = await colleague('member', 'viewer');
    const answer = await viewer.post(`/extensions/gate/${graphId}/operations/do-as-member`, { word: 7 });
    expect([answer.status, answer.body.code]).toEqual([403, 'FORBIDDEN']);
    expect(answer.body.detail).toBe(`Write access to graph ${graphId} requires the member role`);
  });

  it('is refused with an audit row (platform P-9)', async () => {
    const viewer = await colleague('member', 'viewer');
    const userId = await idOf(viewer);
    await call(viewer, 'admin');
    await service.service.services.resolve(backgroundWrites).drain();
    const rows = await service.store.transaction('kernel', (tx) =>
      tx.query<{ details: unknown }>(sql`SELECT details FROM kernel_security_audit
        WHERE user_id = ${userId} AND event_type = 'authorization_denied'`),
    );
    expect(rows).toEqual([{ details: { resource: graphId, action: 'admin' } }]);
  });

  it('is lost within five seconds after it is removed, also for API keys (platform P-4, K-4)', async () => {
    const member = await colleague('member', 'member');
    const { body } = await member.post('/v1/user/api-keys', { name: 'key' });
    const key = service.anonymous.withHeaders({ 'x-api-key': body.key });
    expect([(await call(member, 'member')).status, (await call(key, 'member')).status]).toEqual([200, 200]);
    const userId = await idOf(member);
    await service.store.transaction('kernel', (tx) =>
      tx.query(sql`DELETE FROM kernel_graph_user WHERE user_id = ${userId}`),
    );
    clock.advance(5_000);
    expect([(await call(member, 'member')).status, (await call(key, 'member')).status]).toEqual([403, 403]);
  });
});

describe('signing in', () => {
  it('reads caller and graph from the store once each, and not again within two seconds (platform A-4)', async () => {
    const { store } = service;
    let reads = 0;
    const counting: Store = {
      driver: store.driver,
      transaction: (scope, work, options) => {
        reads += 1;
        return store.transaction(scope, work, options);
      },
      migrate: (sets) => store.migrate(sets),
      pendingMigrations: (sets) => store.pendingMigrations(sets),
      removeGraph: (id, sets, signal) => store.removeGraph(id, sets, signal),
      listen: (channel, wake) => store.listen(channel, wake),
      notify: (channel, payload) => store.notify(channel, payload),
      health: () => store.health(),
      close: () => store.close(),
    };
    const { services } = service.service;
    const stored = { store: counting, clock, audit: services.resolve(securityAudit) };
    const authenticator = new StoreAuthenticator({
      ...stored,
      tokens: services.resolve(sessionTokens),
      background: services.resolve(backgroundWrites),
    });
    const access = new StoredGraphAccess({ ...stored, repositories: [] });
    const bearer = owner.headers['authorization']?.slice('Bearer '.length) ?? '';
    const enter = async () => {
      const caller = await authenticator.authenticate({ bearer }, ['bearer']);
      return caller === undefined ? undefined : access.enterGraph(caller, graphId);
    };
    expect(await enter()).toMatchObject({ id: graphId, role: 'admin', extensions: ['gate'] });
    expect(reads).toBe(2);
    await enter();
    expect(reads).toBe(2);
    clock.advance(2_000);
    await enter();
    expect(reads).toBe(4);
  });
});

describe('a graph', () => {
  it('looks the same to a non-member whether or not it exists (platform P-8)', async () => {
    const strangers = [await service.newUser('Stranger'), await colleague('member')];
    for (const stranger of strangers) {
      for (const id of [graphId, 'kg00000000000000000000']) {
        const answer = await call(stranger, 'viewer', id);
        expect([answer.status, answer.body.code, answer.body.detail]).toEqual([
          403,
          'FORBIDDEN',
          'Access denied to graph',
        ]);
      }
    }
  });

  it('is not looked up by a malformed id, which gets the 422 of its route (platform E-3)', async () => {
    const plain = await owner.post('/v1/graphs/KG123/select');
    expect([plain.status, plain.body.detail[0].loc]).toEqual([422, ['path', 'graph_id']]);
    const operation = await call(owner, 'viewer', 'KG123');
    expect([operation.status, typeof operation.body.detail, operation.body.errors[0].loc]).toEqual([
      422,
      'string',
      ['path', 'graph_id'],
    ]);
  });

  it('is 404 for former members and 403 for others once deleted; suspended says why (platform P-7)', async () => {
    const stranger = await service.newUser('Stranger');
    const other = await owner.createGraph('Lantern', ['gate']);
    await setStatus(other, 'suspended');
    const suspended = await call(owner, 'viewer', other);
    expect([suspended.status, suspended.body.detail]).toEqual([
      403,
      'Subscription has ended. Resubscribe to access this graph.',
    ]);
    for (const status of ['deprovisioned', 'deleted', 'creating']) {
      await setStatus(other, status);
      expect((await call(owner, 'viewer', other)).status).toBe(404);
      expect((await call(stranger, 'viewer', other)).status).toBe(403);
    }
  });

  it('is open to every signed-in user as a viewer if it is the library (platform P-1)', async () => {
    const stranger = await service.newUser('Stranger');
    const answer = await call(stranger, 'viewer', 'library');
    // The role is sufficient; the library graph has no extension to work in.
    expect([answer.status, answer.body.code]).toEqual([403, 'EXTENSION_NOT_PROVISIONED']);
    expect((await stranger.graphql('library', '{ hello }')).body.errors).toBeUndefined();
    expect((await call(stranger, 'member', 'library')).body).toMatchObject({ code: 'FORBIDDEN' });
    expect((await service.anonymous.post('/extensions/gate/library/operations/do-as-viewer')).status).toBe(401);
  });

  it('is forbidden, not malformed, if it is a shared repository (graphs G-2, taxonomy LB-13)', async () => {
    const stranger = await service.newUser('Reader');
    for (const id of ['sec', 'SEC', 'sec_filings']) {
      for (const role of ['viewer', 'member'] as const) expect((await call(stranger, role, id)).status, id).toBe(403);
    }
    expect((await call(stranger, 'viewer', 'second')).status).toBe(422);
    expect((await service.anonymous.post('/extensions/gate/sec/operations/do-as-viewer')).status).toBe(401);
  });

  it('grants its members the same role on its subgraphs (platform P-1, graphs G-43)', async () => {
    const child = `${graphId}_dev`;
    await service.store.transaction('kernel', (tx) =>
      tx.query(sql`INSERT INTO kernel_graph (graph_id, org_id, name, graph_type, tier, status, parent_id, extensions,
          created_by, created_at, updated_at)
        SELECT ${child}, org_id, 'dev', graph_type, tier, 'active', graph_id, extensions, created_by, created_at,
          updated_at
        FROM kernel_graph WHERE graph_id = ${graphId}`),
    );
    const member = await colleague('member', 'member');
    const refusalOf = async (client: TestClient, role: 'viewer' | 'member' | 'admin') =>
      (await call(client, role, child)).body.code;
    // The role is sufficient, but a subgraph has no records of an extension.
    expect(await refusalOf(member, 'member')).toBe('EXTENSION_NOT_PROVISIONED');
    expect(await refusalOf(member, 'admin')).toBe('FORBIDDEN');
    expect(await refusalOf(await service.newUser('Stranger'), 'viewer')).toBe('FORBIDDEN');
    const list = await member.get('/v1/graphs');
    expect(list.body.graphs).toMatchObject([
      { graphId, role: 'member', isSubgraph: false },
      { graphId: child, role: 'member', isSubgraph: true, parentGraphId: graphId },
    ]);
  });
});

describe('an organization', () => {
  it('lists its members in order, and only their own graphs to plain members (platform U-5)', async () => {
    const member = await colleague('member');
    const orgId = (await member.get('/v1/orgs')).body.orgs[0].id;
    const { members } = (await member.get(`/v1/orgs/${orgId}/members`)).body;
    const ranks = members.map((entry: { role: string }) => ['owner', 'admin', 'member'].indexOf(entry.role));
    expect(ranks).toEqual([...ranks].sort());
    expect((await member.get(`/v1/orgs/${orgId}/graphs`)).body).toEqual([]);
    expect((await owner.get(`/v1/orgs/${orgId}/graphs`)).body[0]).toMatchObject({ graph_id: graphId, role: 'admin' });
  });

  it('reveals nothing to non-members, not even its existence (platform U-4)', async () => {
    const stranger = await service.newUser('Stranger');
    const orgId = (await owner.get('/v1/orgs')).body.orgs[0].id;
    for (const id of [orgId, 'org_unknown']) {
      for (const path of [`/v1/orgs/${id}`, `/v1/orgs/${id}/members`, `/v1/orgs/${id}/graphs`]) {
        const answer = await stranger.get(path);
        expect([answer.status, answer.body.detail]).toEqual([403, 'You are not a member of this organization']);
      }
    }
  });
});
