/** @module-tag sessions */
import { startTestService, type TestClient, type TestService } from '@pacioli/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { body, entity, harbour } from '../../test/provisioning-plugin.ts';
import { silentLog } from '../assembly/host-services.ts';
import { activateGraph, registerGraph, withdrawGraph } from '../tenancy/graph-creation.ts';

let service: TestService;

beforeAll(async () => {
  service = await startTestService({ plugins: [harbour], aliases: { harbour: ['port'] }, log: silentLog });
});
afterAll(() => service.close());

async function created(user: TestClient, request: object) {
  const accepted = await user.post('/v1/graphs', request);
  expect(accepted.status).toBe(202);
  return { accepted, ended: await user.follow(accepted.body.operationId) };
}

describe('create-graph', () => {
  it('responds with pending and the id, and completes with the graph (platform N-6, graphs G-27, G-29)', async () => {
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

  it('tells each step of its progress (graphs G-28)', async () => {
    const user = await service.newUser();
    const { accepted } = await created(user, body());
    const stream = await user.get(`/v1/operations/${accepted.body.operationId}/stream`);
    const frames = await service.store.transaction('kernel', (tx) =>
      tx.query(sql<{ percent: number }>`SELECT (payload ->> 'progress_percent')::integer AS percent
        FROM kernel_operation_event WHERE operation_id = ${accepted.body.operationId}
          AND type = 'operation_progress' ORDER BY sequence`),
    );
    expect(stream.status).toBe(200);
    expect(frames.map(({ percent }) => percent)).toEqual([10, 20, 55, 75, 82, 92, 100]);
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
    expect((await user.post('/v1/graphs/library/select')).status).toBe(404);
  });

  it('passes the domains no entity if none is requested (graphs G-26)', async () => {
    const user = await service.newUser();
    const { ended } = await created(user, body({}, { create_entity: false }));
    expect(ended.body.result.entity).toBeNull();
    expect((await user.get('/v1/graphs')).body.graphs[0].description).toBe('prepared for nobody');
  });

  it('leaves no rows when a domain fails (graphs G-31)', async () => {
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

  it('reports every violated rule of a request, as text and as a list (platform E-3, graphs G-21, G-22)', async () => {
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

  it('accepts values at their limits (graphs G-22)', async () => {
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

  it('replays the same graph for one idempotency key (graphs G-32)', async () => {
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
  it('are listed smallest first and can all be chosen (platform T-1, T-4, graphs G-61)', async () => {
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
  it('change nothing when repeated by a second attempt (platform L-12)', async () => {
    const user = await service.newUser();
    const profile = (await user.get('/v1/auth/me')).body;
    const caller = { userId: profile.id, email: profile.email, name: profile.name, credential: 'jwt' } as const;
    const graph = {
      name: 'Books',
      description: '',
      tier: 'ladybug-standard',
      tags: [],
      domains: [],
      entity: null,
      schema: null,
    };
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
