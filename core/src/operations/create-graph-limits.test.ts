/** @module-tag sessions */
// Goal: permission and quota are checked before anything is created.
import { orgIdOf, startTestService, type TestService } from '@pacioli/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { body, entity, harbour } from '../../test/provisioning-plugin.ts';
import { silentLog } from '../assembly/host-services.ts';
import { contribute } from '../container/provider.ts';
import { definePlugin } from '../define/plugin.ts';
import { provisioningGates } from '../tenancy/provisioning-gates.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ plugins: [harbour], aliases: { harbour: ['port'] } });
});
afterAll(() => service.close());

describe('create-graph', () => {
  it('is refused above the organization’s limit (platform U-9, graphs G-20)', async () => {
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

  it('creates no more graphs than the quota under concurrent requests (platform U-9)', async () => {
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

  it('counts against the quota until it fails or is canceled (platform U-9)', async () => {
    const few = await startTestService({
      plugins: [harbour],
      worker: false,
      log: silentLog,
      settings: { orgs: { maxGraphs: 1 } },
    });
    const user = await few.newUser();
    const orgId = await orgIdOf(user);
    const places = async () => {
      const { body: limits } = await user.get(`/v1/orgs/${orgId}/limits`);
      return [limits.current_usage.graphs.current, limits.can_create_graph];
    };
    const codes = async () => (await user.post('/v1/graphs', body({ schema_extensions: [] }))).body.code;
    const sinking = body({ schema_extensions: ['harbour'] }, { initial_entity: { ...entity, name: 'Sinking' } });
    const first = await user.post('/v1/graphs', sinking);
    expect([first.status, await codes(), await places()]).toEqual([202, 'GRAPH_LIMIT_REACHED', [1, false]]);
    expect((await user.request('DELETE', `/v1/operations/${first.body.operationId}`)).status).toBe(200);
    expect(await places()).toEqual([0, true]);
    const second = await user.post('/v1/graphs', sinking);
    expect([second.status, await codes()]).toEqual([202, 'GRAPH_LIMIT_REACHED']);
    await few.service.startWorker();
    expect((await user.follow(second.body.operationId)).body.status).toBe('failed');
    expect(await places()).toEqual([0, true]);
    await user.createGraph('The only one', []);
    expect(await places()).toEqual([1, false]);
    await few.close();
  });

  it('reports errors of the role, then the quota, then the payment, then the body (platform B-6)', async () => {
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

  it('replays a request even if its own graph used up the quota (graphs G-32, platform U-9)', async () => {
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

  it('reports capacity for every tier (platform T-1)', async () => {
    const user = await service.newUser();
    const { tiers } = (await user.get('/v1/graphs/capacity')).body;
    expect(tiers.map((row: { tier: string; status: string }) => [row.tier, row.status])).toEqual([
      ['ladybug-standard', 'ready'],
      ['ladybug-large', 'ready'],
      ['ladybug-xlarge', 'ready'],
    ]);
  });

  it('is allowed only for owners and admins of an organization (platform P-2)', async () => {
    const user = await service.newUser();
    const userId = (await user.get('/v1/user')).body.id;
    await service.store.transaction('kernel', (tx) =>
      tx.query(sql`UPDATE kernel_org_user SET role = 'member' WHERE user_id = ${userId}`),
    );
    const answer = await user.post('/v1/graphs', body());
    expect([answer.status, answer.body.detail]).toEqual([403, 'Only organization owners and admins can create graphs']);
  });
});
