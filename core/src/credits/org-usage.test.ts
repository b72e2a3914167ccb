/** @module-tag sessions */
import { fixedClock, startTestService, type TestClient, type TestService } from '@pacioli/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import removeExpired from '../jobs/remove-expired.ts';
import { kernel } from '../services/kernel-tokens.ts';
import { usage as usageToken } from '../usage/usage.ts';
import { credits as creditsToken } from './credits.ts';

const clock = fixedClock('2026-03-31T12:00:00Z');
const gigabyte = 1024 ** 3;
let service: TestService;
let user: TestClient;
let org: string;

beforeAll(async () => {
  service = await startTestService({ plugins: [], clock });
  const key = await (await service.newUser('Ann')).post('/v1/user/api-keys', { name: 'Over weeks' });
  user = service.anonymous.withHeaders({ 'x-api-key': key.body.key });
  org = (await user.get('/v1/orgs')).body.orgs[0].id;
});
afterAll(() => service.close());

function credits() {
  return service.service.services.resolve(creditsToken);
}

/** Charges a call of 3 × thousands credits now. */
async function spend(graphId: string, operationId: string, thousands: number, callIndex = 0): Promise<void> {
  const call = { operationId, callIndex, operationType: 'analyst', userId: 'user_1', requestId: 'req_1' };
  const tokens = { model: 'anthropic_claude_4_sonnet', inputTokens: thousands * 1_000, outputTokens: 0 };
  await credits().settle({ graphId }, call, tokens);
}

async function snapshot(graphId: string, amount: number): Promise<void> {
  const usage = service.service.services.resolve(usageToken);
  await service.store.transaction('kernel', (tx) => usage.record(tx, { graphId, type: 'storage_snapshot', amount }));
}

describe('the usage of an organization', () => {
  it('sums all graphs over the requested days (platform U-10)', async () => {
    const first = await user.createGraph('First', []);
    clock.set('2026-03-31T12:00:01Z');
    const second = await user.createGraph('Second', []);
    await spend(first, 'op_old', 100);
    await snapshot(first, 9 * gigabyte);
    clock.set('2026-04-10T12:00:00Z');
    await spend(first, 'op_1', 10);
    await spend(first, 'op_1', 10, 1);
    await spend(second, 'op_2', 20);
    await snapshot(first, 2 * gigabyte);
    await snapshot(second, gigabyte);
    const { status, body } = await user.get(`/v1/orgs/${org}/usage?days=5`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      org_id: org,
      period_days: 5,
      start_date: '2026-04-05T12:00:00.000Z',
      end_date: '2026-04-10T12:00:00.000Z',
      summary: {
        total_credits_used: 120,
        total_ai_operations: 2,
        total_storage_gb: 3,
        daily_avg_credits: 24,
        projected_monthly_credits: 720,
        credits_limit: 16_000,
        storage_limit_gb: 40,
      },
      graph_details: [
        { graph_id: first, credits_used: 60, ai_operations: 1, storage_gb: 2 },
        { graph_id: second, credits_used: 60, ai_operations: 1, storage_gb: 1 },
      ],
    });
    expect(body.daily_trend).toEqual([
      { date: '2026-04-06', credits_used: 0, ai_operations: 0 },
      { date: '2026-04-07', credits_used: 0, ai_operations: 0 },
      { date: '2026-04-08', credits_used: 0, ai_operations: 0 },
      { date: '2026-04-09', credits_used: 0, ai_operations: 0 },
      { date: '2026-04-10', credits_used: 120, ai_operations: 2 },
    ]);
  });

  it('has a trend of the last 30 days that ends today (platform U-10)', async () => {
    const { body } = await user.get(`/v1/orgs/${org}/usage?days=90`);
    expect(body.summary).toMatchObject({ total_credits_used: 420, total_ai_operations: 3 });
    expect(body.daily_trend).toHaveLength(30);
    expect(body.daily_trend[0].date).toBe('2026-03-12');
    expect(body.daily_trend.at(-1)).toMatchObject({ date: '2026-04-10', credits_used: 120 });
    const march = body.daily_trend.find((row: { date: string }) => row.date === '2026-03-31');
    expect(march).toMatchObject({ credits_used: 300, ai_operations: 1 });
  });

  it('is allowed only for owners and admins, for 1 to 365 days (platform U-4, U-10)', async () => {
    const stranger = await service.newUser('Stranger');
    expect((await stranger.get(`/v1/orgs/${org}/usage`)).status).toBe(403);
    for (const days of ['0', '366', 'many']) {
      expect((await user.get(`/v1/orgs/${org}/usage?days=${days}`)).status).toBe(422);
    }
    const member = await service.newUser('Member');
    const memberId = (await member.get('/v1/user')).body.id;
    const own = (await member.get('/v1/orgs')).body.orgs[0].id;
    await service.store.transaction('kernel', (tx) =>
      tx.query(sql`UPDATE kernel_org_user SET role = 'member' WHERE user_id = ${memberId}`),
    );
    expect((await member.get(`/v1/orgs/${own}/usage`)).status).toBe(403);
  });
});

describe('usage events', () => {
  it('are kept for 400 days (platform T-7)', async () => {
    const graph = await user.createGraph('Kept', []);
    await snapshot(graph, 1);
    const { services } = service.service;
    const clean = async () => {
      const ctx = {
        store: service.store,
        signal: new AbortController().signal,
        log: services.resolve(kernel.log),
        now: () => clock.now(),
      };
      await removeExpired.handle({ ctx, use: services.useFor(removeExpired.services) });
    };
    const kept = () =>
      service.store.transaction('kernel', (tx) =>
        tx.query(sql`SELECT 1 FROM kernel_usage_event WHERE graph_id = ${graph} AND type = 'storage_snapshot'`),
      );
    clock.advance(399 * 86_400_000);
    await clean();
    expect(await kept()).toHaveLength(1);
    clock.advance(2 * 86_400_000);
    await clean();
    expect(await kept()).toHaveLength(0);
  });
});
