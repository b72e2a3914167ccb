/** @module-tag sessions */
import { fixedClock, startTestService, type TestService } from '@pacioli/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { KernelOperation } from '../rows.gen.ts';
import job from './cancel-orphaned-runs.ts';

const clock = fixedClock('2026-03-02T09:00:00Z');
let service: TestService;
beforeAll(async () => {
  service = await startTestService({ plugins: [], clock, worker: false });
});
afterAll(() => service.close());

const query = (statement: ReturnType<typeof sql>) => service.store.transaction('kernel', (tx) => tx.query(statement));

let runs = 0;
async function openRun(userId: string, graphId: string | null): Promise<string> {
  runs += 1;
  const id = `op_01JQ00000000000000000000${String(runs).padStart(2, '0')}`;
  await query(sql`
    INSERT INTO kernel_operation (id, graph_id, user_id, name, runs, status, created_at, updated_at)
    VALUES (${id}, ${graphId}, ${userId}, 'waits', 'worker', 'pending', now(), now())`);
  return id;
}

async function turn(): Promise<ReadonlyMap<string, string>> {
  const drop = (): void => undefined;
  const silent = { debug: drop, info: drop, warn: drop, error: drop };
  const ctx = { store: service.store, signal: new AbortController().signal, log: silent, now: () => clock.now() };
  await job.handle({ ctx, use: {} });
  const rows = await service.store.transaction('kernel', (tx) =>
    tx.query<Pick<KernelOperation, 'id'> & { state: string }>(sql`
      SELECT r.id, r.status || COALESCE(' ' || (e.payload ->> 'reason'), '') AS state
      FROM kernel_operation r LEFT JOIN kernel_operation_event e ON e.operation_id = r.id`),
  );
  return new Map(rows.map(({ id, state }) => [id, state]));
}

describe('runs of deactivated accounts and deleted graphs', () => {
  it('are canceled after a grace period; all others continue (platform L-21)', async () => {
    const [ann, sam] = [await service.newUser('Ann'), await service.newUser('Sam')];
    const [annId, samId] = [(await ann.get('/v1/user')).body.id, (await sam.get('/v1/user')).body.id];
    const orgId = (await ann.get('/v1/orgs')).body.orgs[0].id;
    for (const [graphId, parentId] of [
      ['kg00000000000000000001', null],
      ['kg00000000000000000001_branch', 'kg00000000000000000001'],
      ['kg00000000000000000002', null],
    ]) {
      await query(sql`
        INSERT INTO kernel_graph (graph_id, org_id, name, graph_type, tier, status, parent_id, created_by, created_at,
          updated_at)
        VALUES (${graphId}, ${orgId}, 'G', 'entity', 'ladybug-standard', 'active', ${parentId}, ${annId},
          ${clock.now()}, ${clock.now()})`);
    }
    const ofGraph = await openRun(annId, 'kg00000000000000000001');
    const ofSubgraph = await openRun(annId, 'kg00000000000000000001_branch');
    const ofUser = await openRun(samId, null);
    const others = [await openRun(annId, 'kg00000000000000000002'), await openRun(annId, null)];
    await query(sql`
      UPDATE kernel_graph SET status = 'deleted', updated_at = ${clock.now()} WHERE graph_id = 'kg00000000000000000001'`);
    await query(sql`UPDATE kernel_user SET is_active = false, updated_at = ${clock.now()} WHERE id = ${samId}`);

    expect(new Set((await turn()).values())).toEqual(new Set(['pending']));
    clock.advance(60_000);
    const states = await turn();
    expect([ofGraph, ofSubgraph, ofUser, ...others].map((id) => states.get(id))).toEqual([
      'cancelled graph_deleted',
      'cancelled graph_deleted',
      'cancelled user_deactivated',
      'pending',
      'pending',
    ]);
  });
});
