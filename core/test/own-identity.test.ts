/** @module-tag sessions */
// Goal: the people of another system call the service, with the rights that this system gives them. Method: an identity
// over a map that the tests change; the clock passes the two seconds for which rights are cached.
import { sql } from '@pacioli/core';
import { fixedClock, startTestService, type TestClient, type TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { silentLog } from '../src/assembly/host-services.ts';
import type { Person } from '../src/own-identity/directory.ts';
import { ownIdentity } from '../src/own-identity/own-identity.ts';

const mill = { id: 'org_mill', name: 'Mill' };
const clock = fixedClock('2026-03-02T09:00:00Z');
const people = new Map<string, Person>();
let service: TestService;
let ann: TestClient;
let graphId: string;

beforeAll(async () => {
  const identity = ownIdentity({ findPerson: async ({ kind, secret }) => people.get(`${kind} ${secret}`) });
  service = await startTestService({
    plugins: [],
    identity,
    clock,
    log: silentLog,
    settings: { orgs: { maxGraphs: 2 } },
  });
  ann = caller('ann', { org: { ...mill, role: 'owner' } });
  graphId = await ann.createGraph('Mill', []);
});
afterAll(() => service.close());

/** Adds or changes a person of the other system. */
function know(userId: string, facts: Pick<Person, 'org'> & Partial<Person>): void {
  const person = { userId, email: `${userId}@example.org`, name: userId, ...facts };
  people.set(`bearer ${userId}`, person);
  people.set(`api-key ${userId}`, person);
  clock.advance(2_000);
}

function caller(userId: string, facts: Pick<Person, 'org'> & Partial<Person>): TestClient {
  know(userId, facts);
  return service.anonymous.withHeaders({ authorization: `Bearer ${userId}` });
}

async function graphsOf(client: TestClient): Promise<readonly unknown[]> {
  const { body } = await client.get('/v1/graphs');
  return body.graphs.map((graph: { graphId: string; role: string }) => [graph.graphId, graph.role]);
}

/** The versions of a person's rows: a write changes `xmin`, a lock `xmax`. */
async function rowVersions(userId: string): Promise<readonly unknown[]> {
  return service.store.transaction('kernel', (tx) =>
    tx.query(sql`
      SELECT ARRAY[u.xmin, u.xmax, m.xmin, m.xmax, o.xmin, o.xmax]::text[] AS versions FROM kernel_user u
        JOIN kernel_org_user m ON m.user_id = u.id JOIN kernel_org o ON o.id = m.org_id WHERE u.id = ${userId}`),
  );
}

describe('ownIdentity', () => {
  it('accepts bearer tokens and API keys, and refuses unknown ones (platform X-10)', async () => {
    const { anonymous } = service;
    const statusOf = async (headers: Record<string, string>) =>
      (await anonymous.withHeaders(headers).get('/v1/graphs')).status;
    expect(await statusOf({ authorization: 'Bearer ann' })).toBe(200);
    expect(await statusOf({ 'x-api-key': 'ann' })).toBe(200);
    expect(await statusOf({ authorization: 'Bearer nobody' })).toBe(401);
    expect(await statusOf({ 'x-api-key': 'nobody' })).toBe(401);
    expect(await statusOf({ authorization: 'Bearer nobody', 'x-api-key': 'ann' })).toBe(401);
    expect(await statusOf({})).toBe(401);
  });

  it('follows a role in the organization within two seconds (platform X-10)', async () => {
    const bob = caller('bob', { org: { ...mill, role: 'member' } });
    expect(await graphsOf(bob)).toEqual([]);
    know('bob', { org: { ...mill, role: 'admin' } });
    expect(await graphsOf(bob)).toEqual([[graphId, 'admin']]);
    know('bob', { org: { ...mill, role: 'member' } });
    expect(await graphsOf(bob)).toEqual([]);
    expect((await bob.graphql(graphId, '{ hello }')).status).toBe(403);
  });

  it('gives the roles on graphs that come with a person, on graphs of their organization only (platform X-10)', async () => {
    const org = { ...mill, role: 'member' } as const;
    const carl = caller('carl', { org, graphRoles: [{ graphId, role: 'member' }] });
    expect(await graphsOf(carl)).toEqual([[graphId, 'member']]);
    know('carl', { org, graphRoles: [{ graphId, role: 'viewer' }] });
    expect(await graphsOf(carl)).toEqual([[graphId, 'viewer']]);
    know('carl', { org, graphRoles: [] });
    expect(await graphsOf(carl)).toEqual([]);
    const eve = caller('eve', {
      org: { id: 'org_other', name: 'Other', role: 'member' },
      graphRoles: [{ graphId, role: 'admin' }],
    });
    expect(await graphsOf(eve)).toEqual([]);
    expect((await eve.graphql(graphId, '{ hello }')).status).toBe(403);
  });

  it('ends the grants of a person who moves to another organization (platform X-10)', async () => {
    const dora = caller('dora', { org: { ...mill, role: 'member' } });
    await graphsOf(dora);
    const granted = await ann.post(`/v1/graphs/${graphId}/members`, { user_id: 'dora', role: 'admin' });
    expect(granted.status).toBe(201);
    expect((await dora.graphql(graphId, '{ hello }')).status).toBe(200);
    know('dora', { org: { id: 'org_other', name: 'Other', role: 'owner' } });
    expect(await graphsOf(dora)).toEqual([]);
    expect((await dora.graphql(graphId, '{ hello }')).status).toBe(403);
    know('dora', { org: { ...mill, role: 'member' } });
    expect((await dora.graphql(graphId, '{ hello }')).status).toBe(403);
  });

  it('shows the current names in the list of members (platform X-10)', async () => {
    know('ann', { name: 'Ann Miller', org: { ...mill, role: 'owner' } });
    await graphsOf(ann);
    const { body } = await ann.get(`/v1/graphs/${graphId}/members`);
    expect(body.members).toContainEqual(expect.objectContaining({ user_id: 'ann', name: 'Ann Miller' }));
  });

  it('knows people by id: one may have or take over the address of another (platform X-10)', async () => {
    const org = { ...mill, role: 'member' } as const;
    const second = caller('second', { email: 'ANN@example.org', org, graphRoles: [{ graphId, role: 'viewer' }] });
    expect(await graphsOf(second)).toEqual([[graphId, 'viewer']]);
    const gus = caller('gus', { org });
    expect(await graphsOf(gus)).toEqual([]);
    know('second', { email: 'gus@example.org', org, graphRoles: [{ graphId, role: 'viewer' }] });
    expect(await graphsOf(second)).toEqual([[graphId, 'viewer']]);
    expect(await graphsOf(gus)).toEqual([]);
    const { body } = await ann.get(`/v1/graphs/${graphId}/members`);
    expect(body.members).toContainEqual(expect.objectContaining({ user_id: 'second', email: 'gus@example.org' }));
  });

  it('fails for a person without a usable address', async () => {
    const org = { ...mill, role: 'member' } as const;
    expect((await caller('mute', { email: '', org }).get('/v1/graphs')).status).toBe(500);
  });

  it('gives an address to a person of the host although an account of earlier times has it (platform X-10)', async () => {
    await service.store.transaction('kernel', (tx) =>
      tx.query(sql`
        INSERT INTO kernel_user (id, email, name, created_at, updated_at)
        VALUES ('old', 'old@example.org', 'Old', now(), now()), ('hal', 'hal@example.org', 'Hal', now(), now())`),
    );
    const hal = caller('hal', { email: 'old@example.org', org: { ...mill, role: 'member' } });
    expect((await hal.get('/v1/graphs')).status).toBe(200);
  });

  it('enrolls a new person once if their first requests arrive together', async () => {
    const zoe = caller('zoe', { org: { id: 'org_zoe', name: 'Zoe', role: 'owner' } });
    const answers = await Promise.all(Array.from({ length: 8 }, () => zoe.get('/v1/graphs')));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    const rows = await service.store.transaction('kernel', (tx) =>
      tx.query(sql`
        SELECT u.id, u.email, m.org_id, m.role, (SELECT count(*) FROM kernel_org WHERE name = 'Zoe') AS organizations
        FROM kernel_user u JOIN kernel_org_user m ON m.user_id = u.id WHERE u.name = 'zoe'`),
    );
    expect(rows).toEqual([{ id: 'zoe', email: 'zoe@example.org', org_id: 'org_zoe', role: 'owner', organizations: 1 }]);
  });

  it('neither writes nor locks the rows of a person who has not changed', async () => {
    const org = { ...mill, role: 'member' } as const;
    const fay = caller('fay', { org, graphRoles: [{ graphId, role: 'viewer' }] });
    await graphsOf(fay);
    const before = await rowVersions('fay');
    clock.advance(2_000);
    await graphsOf(fay);
    expect(await rowVersions('fay')).toEqual(before);
    know('fay', { name: 'Fay Miller', org, graphRoles: [{ graphId, role: 'viewer' }] });
    await graphsOf(fay);
    expect(await rowVersions('fay')).not.toEqual(before);
  });

  it('counts the graphs of an organization against the limit of the deployment (platform U-9)', async () => {
    await ann.createGraph('Second', []);
    const third = await ann.post('/v1/graphs', {
      metadata: { graph_name: 'Third', schema_extensions: [] },
      initial_entity: { name: 'Third', uri: 'https://example.org/third' },
    });
    expect([third.status, third.body.code]).toEqual([403, 'GRAPH_LIMIT_REACHED']);
  });
});
