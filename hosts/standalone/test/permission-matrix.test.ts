/** @module-tag sessions */

import { admitted, type CallerKind, permissionOf } from '@pacioli/conformance';
import { sql } from '@pacioli/core';
import type { Endpoint } from '@pacioli/core/assembly';
import {
  joinTeam,
  orgIdOf,
  startTestService,
  type TeamMember,
  type TestClient,
  type TestService,
  teamSettings,
} from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aliases, plugins } from '../src/plugins.ts';

/**
 * Goal: no endpoint of the host allows more than the matrix of platform section 7. Method: every endpoint is called in
 * every role with a request that changes nothing: unknown row ids and a body that is not JSON, so that a caller who
 * passes the role checks gets a 404 or 422, and a role that is checked too late shows as 422 instead of 403.
 */

/** Bodies of endpoints whose handler checks the role, after the body was parsed. */
const bodies: Readonly<Record<string, unknown>> = {
  'PUT /v1/orgs/{org_id}': {},
  'PUT /v1/orgs/{org_id}/members/{user_id}': { role: 'member' },
  'POST /v1/orgs/{org_id}/invitations': { email: 'no address' },
  'POST /v1/billing/customer/{org_id}/portal': {},
  'POST /v1/billing/subscriptions/{org_id}/subscription/{subscription_id}/cancel': {},
};

/** Intended differences from the matrix, with the reason. */
const exceptions: Readonly<Record<string, string>> = {
  'anonymous POST /extensions/{graph_id}/graphql':
    'greets callers without a credential with 200 and an error of each field',
};

const unknownIds: Readonly<Record<string, string>> = {
  operation_id: 'op_01JQ0000000000000000000000',
  backup_id: 'bak_01JQ0000000000000000000000',
  subgraph_name: 'nothing',
};

let service: TestService;
let graphId: string;
let otherGraphId: string;
let orgId: string;
let people: Readonly<Record<CallerKind, TestClient>>;
let graphAdmin: TeamMember;
beforeAll(async () => {
  service = await startTestService({ plugins, aliases, settings: teamSettings });
  const owner = await service.newUser('Olga');
  const extensions = (await owner.get('/v1/graphs/extensions')).body.extensions.map((e: { name: string }) => e.name);
  orgId = await orgIdOf(owner);
  graphId = await owner.createGraph('Matrix', extensions);
  otherGraphId = await owner.createGraph('Elsewhere', extensions);
  const granted = async (role: string): Promise<TeamMember> => {
    const member = await joinTeam(service, owner);
    for (const id of [graphId, otherGraphId]) {
      const answer = await owner.post(`/v1/graphs/${id}/members`, { user_id: member.userId, role });
      expect(answer.status).toBe(201);
    }
    return member;
  };
  graphAdmin = await granted('admin');
  people = {
    anonymous: service.anonymous,
    stranger: await service.newUser('Sam'),
    viewer: (await granted('viewer')).client,
    member: (await granted('member')).client,
    graph_admin: graphAdmin.client,
    org_admin: (await joinTeam(service, owner, 'admin')).client,
    org_owner: owner,
  };
});
afterAll(() => service.close());

/** Calls an endpoint in a way that changes nothing. */
async function call(
  who: TestClient,
  endpoint: Endpoint,
  graph = graphId,
): Promise<{ readonly status: number; readonly code: string; readonly detail: unknown }> {
  const name = `${endpoint.method} ${endpoint.path}`;
  const ids: Readonly<Record<string, string>> = { ...unknownIds, graph_id: graph, org_id: orgId };
  const path = endpoint.path.replaceAll(/\{([^}]+)\}/g, (_, parameter: string) => ids[parameter] ?? 'unknown');
  const answer = await who.request(
    endpoint.method,
    path,
    endpoint.method === 'GET' ? undefined : (bodies[name] ?? '{'),
  );
  return { status: answer.status, code: answer.body?.code, detail: answer.body?.detail };
}

/** Classifies a response: caller unknown, not allowed, or admitted. */
function verdict(status: number): string {
  return status === 401 || status === 403 ? String(status) : 'admitted';
}

/** Lists every endpoint with an unexpected response, as a line with the expected one and its rule. */
async function mismatches(
  who: TestClient,
  wanted: (endpoint: Endpoint) => { readonly answer: string; readonly rule: string } | undefined,
): Promise<string[]> {
  const found: string[] = [];
  for (const endpoint of service.service.endpoints) {
    const expected = wanted(endpoint);
    if (expected === undefined) continue;
    const { status, code } = await call(who, endpoint);
    const answer = expected.answer.includes(' ') ? `${status} ${code}` : verdict(status);
    if (answer !== expected.answer) {
      found.push(
        `${endpoint.method} ${endpoint.path}: ${status} ${code}, wanted ${expected.answer} (${expected.rule})`,
      );
    }
  }
  return found;
}

function ruleOf(endpoint: Endpoint) {
  const row = permissionOf(endpoint.method, endpoint.path);
  if (row === undefined) throw new Error(`The matrix has no row for ${endpoint.method} ${endpoint.path}.`);
  return row;
}

describe('permission matrix', () => {
  it('has a row for every endpoint of this host (platform P-9)', () => {
    const missing = service.service.endpoints
      .filter(({ method, path }) => permissionOf(method, path) === undefined)
      .map(({ method, path }) => `${method} ${path}`);
    expect(missing).toEqual([]);
    expect(service.service.endpoints.length).toBeGreaterThan(50);
  });

  it('has no library on any route or operation below /v1/graphs (graphs G-4)', async () => {
    const found: string[] = [];
    for (const endpoint of service.service.endpoints) {
      // MCP answers with errors of JSON-RPC, and billing finds subscriptions by itself.
      const isExempt = /\/(mcp|subscriptions)\b/.test(endpoint.path);
      if (!endpoint.path.startsWith('/v1/graphs/{graph_id}') || isExempt) continue;
      const { status, detail } = await call(people.org_owner, endpoint, 'library');
      const isRefused = status === 404 && detail === 'Graph not found.';
      if (!isRefused) found.push(`${endpoint.method} ${endpoint.path}: ${status} ${String(detail)}`);
    }
    expect(found).toEqual([]);
  });

  it.each<CallerKind>(['anonymous', 'stranger', 'viewer', 'member', 'graph_admin', 'org_admin', 'org_owner'])(
    'is enforced for the role %s (platform P-5, P-8, P-10 to P-23)',
    async (person) => {
      const found = await mismatches(people[person], (endpoint) => {
        const { access, rule } = ruleOf(endpoint);
        // These endpoints need a proof that the test does not send, so each rejects all callers in its own way.
        if (access === 'proof_inside') return undefined;
        // The limits of plans are covered by the tests of the billing plugin.
        if (access === 'subscriber' && person !== 'anonymous') return undefined;
        if (exceptions[`${person} ${endpoint.method} ${endpoint.path}`] !== undefined) return undefined;
        const refusal = person === 'anonymous' ? '401' : '403';
        return { answer: admitted[access].includes(person) ? 'admitted' : refusal, rule };
      });
      expect(found).toEqual([]);
    },
    60_000,
  );
});

describe('API key bound to a graph', () => {
  async function keyFor(graph: string): Promise<TestClient> {
    const answer = await graphAdmin.client.post('/v1/user/api-keys', { name: 'Bound', graph_id: graph });
    return service.anonymous.withHeaders({ 'x-api-key': answer.body.key });
  }

  it('has its owner’s access to its graph, and only four endpoints of the account (platform K-3)', async () => {
    const found = await mismatches(await keyFor(graphId), (endpoint) => {
      const { access, rule } = ruleOf(endpoint);
      if (access === 'proof_inside' || access === 'subscriber') return undefined;
      const isOpen = access === 'anybody' || access === 'account_or_bound_key';
      const isOfGraph = endpoint.path.includes('{graph_id}');
      if (!isOpen && !isOfGraph) {
        // Some account routes require a session, which is another reason for 403 (platform A-3).
        return { answer: '403', rule: `K-3, ${rule}` };
      }
      return { answer: isOpen || admitted[access].includes('graph_admin') ? 'admitted' : '403', rule };
    });
    expect(found).toEqual([]);
  });

  it('has no access to other graphs, whatever its owner may do there (platform K-3)', async () => {
    const found = await mismatches(await keyFor(otherGraphId), (endpoint) => {
      const isPublic = ['anybody', 'proof_inside'].includes(ruleOf(endpoint).access);
      return endpoint.path.includes('{graph_id}') && !isPublic ? { answer: '403 KEY_SCOPE', rule: 'K-3' } : undefined;
    });
    expect(found).toEqual([]);
  });
});

describe('operation run', () => {
  it('is visible to its starter and to graph admins, who may not answer its prompts (platform P-23, L-16)', async () => {
    const id = 'op_01JQ0000000000000000000001';
    const starter = (await people.member.get('/v1/user')).body.id;
    await service.store.transaction('kernel', (tx) =>
      tx.query(sql`
        INSERT INTO kernel_operation (id, graph_id, user_id, name, runs, status, created_at, updated_at)
        VALUES (${id}, ${graphId}, ${starter}, 'waits', 'worker', 'awaiting_input', now(), now())`),
    );
    const seen: Record<string, readonly number[]> = {};
    for (const [person, client] of Object.entries(people)) {
      const status = await client.get(`/v1/operations/${id}/status`);
      // The form of an answer is checked only after the permissions.
      const resume = await client.post(`/v1/operations/${id}/resume`, {});
      seen[person] = [status.status, resume.status];
    }
    const refused = [403, 403];
    expect(seen).toEqual({
      anonymous: [401, 401],
      stranger: refused,
      viewer: refused,
      member: [200, 202],
      graph_admin: [200, 403],
      org_admin: [200, 403],
      org_owner: [200, 403],
    });
  });
});
