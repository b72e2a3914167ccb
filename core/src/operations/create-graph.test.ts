import { startTestService, type TestClient, type TestService } from '@pacioli/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { definePlugin } from '../define/plugin.ts';
import { kernel } from '../services/kernel-tokens.ts';
import { contribute } from '../services/provider.ts';
import { activateGraph, registerGraph, withdrawGraph } from '../tenancy/graph-creation.ts';
import { provisioningGates } from '../tenancy/provisioning-gates.ts';

/** A domain that notes in the graph's own transaction what it was given, and fails for one company. */
const harbour = definePlugin({
  name: 'harbour',
  title: 'Harbour master',
  version: '0.1.0',
  kernel: '^0.1.0',
  domain: 'harbour',
  contributions: [
    contribute(kernel.graphProvisioners, 'harbour', {
      create: () => ({
        domain: 'harbour',
        provision: async ({ tx, graphId, entity }) => {
          const note = `prepared for ${entity?.name ?? 'nobody'}`;
          await tx.query(sql`UPDATE kernel_graph SET description = ${note} WHERE graph_id = ${graphId}`);
          if (entity?.name === 'Sinking') throw new Error('The harbour is full.');
        },
      }),
    }),
  ],
});

const entity = { name: 'Harbour Lantern Trading Company', uri: 'https://example.org' };
const body = (metadata: object = {}, rest: object = {}) => ({
  metadata: { graph_name: 'Books', schema_extensions: ['port'], ...metadata },
  initial_entity: entity,
  ...rest,
});
let service: TestService;

beforeAll(async () => {
  service = await startTestService({ plugins: [harbour], aliases: { harbour: ['port'] } });
});
afterAll(() => service.close());

async function created(user: TestClient, request: object) {
  const accepted = await user.post('/v1/graphs', request);
  expect(accepted.status).toBe(202);
  return { accepted, ended: await user.follow(accepted.body.operationId) };
}

describe('create-graph', () => {
  it('answers pending with the id at once and completes with the graph (platform N-6, graphs G-27, G-29)', async () => {
    const user = await service.newUser();
    const { accepted, ended } = await created(user, body({ tags: [' a ', 'b'] }, { tags: ['b', 'c'] }));
    expect(accepted.body).toMatchObject({ operation: 'create-graph', status: 'pending', idempotentReplay: false });
    const graphId = accepted.body.result.graph_id;
    expect(graphId).toMatch(/^kg[0-9a-f]{20}$/);
    expect(ended.body).toMatchObject({
      status: 'completed',
      result: {
        graph_id: graphId,
        status: 'created',
        tier: 'ladybug-standard',
        entity: { ...entity, ticker: 'HLT' },
        metadata: { graph_id: graphId, schema_type: 'extensions', schema_extensions: ['port'] },
      },
    });
    const list = await user.get('/v1/graphs');
    expect(list.body.selectedGraphId).toBe(graphId);
    expect(list.body.graphs).toMatchObject([
      {
        graphId,
        graphName: 'Books',
        role: 'admin',
        isSelected: true,
        description: `prepared for ${entity.name}`,
        tags: ['a', 'b', 'c'],
        schemaExtensions: ['port'],
        graphType: 'entity',
        status: 'active',
      },
    ]);
  });

  it('selects the newest graph; selecting another moves it to the front (platform P-2, graphs G-50, G-51)', async () => {
    const user = await service.newUser();
    const graphs = [
      await user.createGraph('One', []),
      await user.createGraph('Two', []),
      await user.createGraph('Three', []),
    ];
    const order = async () =>
      (await user.get('/v1/graphs')).body.graphs.map((entry: { graphId: string }) => graphs.indexOf(entry.graphId));
    expect(await order()).toEqual([2, 0, 1]);
    for (const _repeat of ['once', 'again']) {
      expect((await user.post(`/v1/graphs/${graphs[1]}/select`)).body.success).toBe(true);
      expect(await order()).toEqual([1, 0, 2]);
    }
    expect((await user.post('/v1/graphs/library/select')).status).toBe(400);
  });

  it('gives the domains no entity when none is to be made (graphs G-26)', async () => {
    const user = await service.newUser();
    const { ended } = await created(user, body({}, { create_entity: false }));
    expect(ended.body.result.entity).toBeNull();
    expect((await user.get('/v1/graphs')).body.graphs[0].description).toBe('prepared for nobody');
  });

  it('leaves nothing behind when a domain fails (graphs G-31)', async () => {
    const user = await service.newUser();
    const { accepted, ended } = await created(user, body({}, { initial_entity: { ...entity, name: 'Sinking' } }));
    expect(ended.body.status).toBe('failed');
    expect((await user.get('/v1/graphs')).body).toEqual({ graphs: [], selectedGraphId: null });
    const graphId = accepted.body.result.graph_id;
    const rows = await service.store.transaction('kernel', (tx) =>
      tx.query(sql`SELECT graph_id FROM kernel_graph_user WHERE graph_id = ${graphId}
        UNION ALL SELECT graph_id FROM kernel_graph WHERE graph_id = ${graphId}`),
    );
    expect(rows).toEqual([]);
  });

  it('names every rule that a request breaks, as text and as a list (platform E-3, graphs G-21, G-22)', async () => {
    const user = await service.newUser();
    const refused = async (request: object) => {
      const answer = await user.post('/v1/graphs', request);
      expect([answer.status, answer.body.code, typeof answer.body.detail]).toEqual([422, 'INVALID_INPUT', 'string']);
      return answer.body;
    };
    const unknown = await refused(body({ schema_extensions: ['port', 'dock'] }));
    expect(unknown.detail).toBe("metadata.schema_extensions.1: Unknown extension 'dock'. Available: port");
    const many = await refused({
      metadata: { graph_name: ' ' },
      instance_tier: 'huge',
      tags: ['t'.repeat(51)],
      initial_entity: { ...entity, fiscal_year_end: '0230', ticker: 'ABCDEFGHIJK' },
    });
    expect(many.errors.map((issue: { loc: unknown[] }) => issue.loc.slice(1).join('.'))).toEqual([
      'metadata.graph_name',
      'instance_tier',
      'tags',
      'initial_entity.ticker',
      'initial_entity.fiscal_year_end',
    ]);
    expect(many.detail).toMatch(/\(\+2 more\)$/);
    expect((await refused({ metadata: { graph_name: 'x' } })).errors[0].loc).toEqual(['body', 'initial_entity']);
    expect((await refused(body({}, { custom_schema: { name: 'own' } }))).detail).toContain('initial_entity');
  });

  it('takes values at their limits (graphs G-22)', async () => {
    const user = await service.newUser();
    const tags = Array.from({ length: 10 }, (_, index) => `${index}`.repeat(50));
    const { ended } = await created(user, {
      metadata: { graph_name: 'n'.repeat(255) },
      initial_entity: { ...entity, fiscal_year_end: '0229', ticker: 'ABCDEFGHIJ' },
      instance_tier: 'ladybug-xlarge',
      tags,
    });
    expect(ended.body.status).toBe('completed');
    const tooMany = await user.post('/v1/graphs', body({}, { tags: [...tags, 'one more'] }));
    expect(tooMany.body.detail).toBe('tags: Must have at most 10 tags');
  });

  it('is refused above the limit of the organization (platform U-9, graphs G-20)', async () => {
    const user = await service.newUser();
    const userId = (await user.get('/v1/user')).body.id;
    await service.store.transaction('kernel', (tx) =>
      tx.query(sql`UPDATE kernel_org SET graphs_max = 1
        WHERE id = (SELECT org_id FROM kernel_org_user WHERE user_id = ${userId})`),
    );
    await user.createGraph('Only one', []);
    const answer = await user.post('/v1/graphs', body());
    expect([answer.status, answer.body.code]).toEqual([403, 'GRAPH_LIMIT_REACHED']);
    expect(answer.body.detail).toContain('limit of 1 graphs');
  });

  it('gives the last places once, also to requests at the same time (platform U-9)', async () => {
    const few = await startTestService({ plugins: [harbour], worker: false, settings: { orgs: { maxGraphs: 2 } } });
    const user = await few.newUser();
    const answers = await Promise.all(
      [1, 2, 3, 4, 5].map(() => user.post('/v1/graphs', body({ schema_extensions: [] }))),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 202, 403, 403, 403]);
    await few.service.startWorker();
    for (const { status, body: envelope } of answers) {
      if (status === 202) expect((await user.follow(envelope.operationId)).body.status).toBe('completed');
    }
    expect((await user.get('/v1/graphs')).body.graphs).toHaveLength(2);
    await few.close();
  });

  it('tells the role, then the quota, then the payment, then the body (platform B-6)', async () => {
    let mayPay = false;
    const cashier = definePlugin({
      name: 'cashier',
      title: 'Cashier',
      version: '0.1.0',
      kernel: '^0.1.0',
      contributions: [
        contribute(provisioningGates, 'cashier', { create: () => ({ canProvision: async () => mayPay }) }),
      ],
    });
    const paid = await startTestService({ plugins: [harbour, cashier], settings: { orgs: { maxGraphs: 1 } } });
    const user = await paid.newUser();
    const broken = { metadata: {} };
    const code = async (request: object) => {
      const answer = await user.post('/v1/graphs', request);
      return `${answer.status} ${answer.body.code}`;
    };
    expect(await code(broken)).toBe('402 PAYMENT_REQUIRED');
    expect(await code(body({ schema_extensions: ['nowhere'] }))).toBe('402 PAYMENT_REQUIRED');
    mayPay = true;
    expect(await code(broken)).toBe('422 INVALID_INPUT');
    await user.createGraph('The only one', []);
    mayPay = false;
    expect(await code(broken)).toBe('403 GRAPH_LIMIT_REACHED');
    expect(await code(body({ schema_extensions: ['nowhere'] }))).toBe('403 GRAPH_LIMIT_REACHED');
    const userId = (await user.get('/v1/user')).body.id;
    await paid.store.transaction('kernel', (tx) =>
      tx.query(sql`UPDATE kernel_org_user SET role = 'member' WHERE user_id = ${userId}`),
    );
    expect(await code(broken)).toBe('403 FORBIDDEN');
    await paid.close();
  });

  it('replays a request also when its own graph took the last place (graphs G-32, platform U-9)', async () => {
    const few = await startTestService({ plugins: [harbour], settings: { orgs: { maxGraphs: 1 } } });
    const user = await few.newUser();
    const request = body({ schema_extensions: [] });
    const post = () => user.post('/v1/graphs', request, { 'idempotency-key': 'last-place' });
    const first = await post();
    await user.follow(first.body.operationId);
    const again = await post();
    expect([again.status, again.body.idempotentReplay, again.body.operationId]).toEqual([
      202,
      true,
      first.body.operationId,
    ]);
    await few.close();
  });

  it('has room in every size (platform T-1)', async () => {
    const user = await service.newUser();
    const { tiers } = (await user.get('/v1/graphs/capacity')).body;
    expect(tiers.map((row: { tier: string; status: string }) => [row.tier, row.status])).toEqual([
      ['ladybug-standard', 'ready'],
      ['ladybug-large', 'ready'],
      ['ladybug-xlarge', 'ready'],
    ]);
  });

  it('is for owners and admins of an organization (platform P-2)', async () => {
    const user = await service.newUser();
    const userId = (await user.get('/v1/user')).body.id;
    await service.store.transaction('kernel', (tx) =>
      tx.query(sql`UPDATE kernel_org_user SET role = 'member' WHERE user_id = ${userId}`),
    );
    const answer = await user.post('/v1/graphs', body());
    expect([answer.status, answer.body.detail]).toEqual([403, 'Only organization owners and admins can create graphs']);
  });

  it('replays the same graph under one idempotency key (graphs G-32)', async () => {
    const user = await service.newUser();
    const post = () => user.post('/v1/graphs', body(), { 'idempotency-key': 'graph-1' });
    const [first, second] = [await post(), await post()];
    expect([second.status, second.body.idempotentReplay]).toEqual([202, true]);
    expect(second.body.result).toEqual(first.body.result);
    await user.follow(first.body.operationId);
    expect((await user.get('/v1/graphs')).body.graphs).toHaveLength(1);
  });

  it('lists the extensions of the deployment under the names that clients use (graphs G-63)', async () => {
    const user = await service.newUser();
    expect((await user.get('/v1/graphs/extensions')).body.extensions).toEqual([
      { name: 'port', description: 'Harbour master', display_name: 'Harbour master', enabled: true },
    ]);
  });
});

describe('the tiers', () => {
  it('are listed smallest first, and each can be chosen (platform T-1, T-4, graphs G-61)', async () => {
    const user = await service.newUser();
    const { tiers } = (await user.get('/v1/graphs/tiers?include_disabled=true')).body;
    expect(tiers.map((tier: { monthly_credits: number }) => tier.monthly_credits)).toEqual([8_000, 32_000, 100_000]);
    for (const { tier } of tiers) {
      const { ended } = await created(user, body({}, { instance_tier: tier }));
      expect(ended.body.result.tier).toBe(tier);
    }
  });
});

describe('the steps of creating a graph', () => {
  it('change nothing when a second attempt repeats them (platform L-12)', async () => {
    const user = await service.newUser();
    const profile = (await user.get('/v1/auth/me')).body;
    const caller = { userId: profile.id, email: profile.email, name: profile.name, credential: 'jwt' } as const;
    const graph = { name: 'Books', description: '', tier: 'ladybug-standard', tags: [], domains: [], entity: null };
    const graphId = 'kg00000000000000000001';
    const now = new Date('2026-03-02T09:00:00Z');
    const { store } = service;
    const register = () =>
      store.transaction('kernel', (tx) => registerGraph(tx, { graphId, orgId: profile.org_id, graph, caller, now }));
    const activate = () => store.transaction({ graphId }, (tx) => activateGraph(tx, graphId, now));
    await register();
    expect((await user.get('/v1/graphs')).body.graphs).toEqual([]);
    await register();
    expect([await activate(), await activate()]).toEqual([true, false]);
    await register();
    await store.transaction('kernel', (tx) => withdrawGraph(tx, graphId));
    expect((await user.get('/v1/graphs')).body.graphs).toMatchObject([{ graphId, status: 'active' }]);
  });
});
