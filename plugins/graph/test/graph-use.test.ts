/**
 * @module-tag sessions
 * @module-tag engines
 */
import { credits, definePlugin, kernel, sql, usage } from '@pacioli/core';
import { fixedClock, startTestService, type TestClient, type TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noteSlowQuery } from '../src/cypher/slow-queries.ts';
import { maxFileBytes } from '../src/files/index.ts';
import graph from '../src/index.ts';
import measureStorage from '../src/jobs/measure-storage.ts';

const clock = fixedClock('2026-03-10T09:30:00Z');
let service: TestService;
let user: TestClient;
let id: string;

beforeAll(async () => {
  const books = definePlugin({
    name: 'books',
    title: 'Books',
    version: '0.1.0',
    kernel: '^0.1.0',
    domain: 'books',
  });
  service = await startTestService({ plugins: [graph, books], clock });
  const key = await (await service.newUser('Ann')).post('/v1/user/api-keys', { name: 'Over hours' });
  user = service.anonymous.withHeaders({ 'x-api-key': key.body.key });
  id = await user.createGraph('Measured', ['books']);
  // The first read creates the empty first generation.
  await user.post(`/v1/graphs/${id}/query/cypher`, { query: 'RETURN 1 AS one' });
});
afterAll(() => service.close());

async function measure(): Promise<void> {
  const { services } = service.service;
  const ctx = {
    store: service.store,
    signal: new AbortController().signal,
    log: services.resolve(kernel.log),
    now: () => clock.now(),
  };
  await measureStorage.handle({ ctx, use: services.useFor(measureStorage.services) });
}

const reportsSizes = () => service.graphStore.capabilities.reportsSizes;

describe('the limits of a graph', () => {
  it('are those of its tier and of the rate limiter (platform T-1, T-5, graphs H-20, H-21)', async () => {
    const answer = await user.get(`/v1/graphs/${id}/limits`);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      graph_id: id,
      subscription_tier: 'ladybug-standard',
      graph_tier: 'ladybug-standard',
      is_shared_repository: false,
      storage: { max_storage_gb: 20, approaching_limit: false },
      queries: { max_timeout_seconds: 30, chunk_size: 1_000, max_rows_per_query: 10_000, concurrent_queries: 10 },
      copy_operations: {
        max_file_size_gb: maxFileBytes / 1024 ** 3,
        timeout_seconds: 900,
        concurrent_operations: 1,
        max_files_per_operation: -1,
        daily_copy_operations: -1,
        supported_formats: ['parquet', 'csv', 'json'],
      },
      backups: { max_backup_size_gb: 10, backup_retention_days: 7, max_backups_per_day: 2 },
      rate_limits: { requests_per_minute: 120, requests_per_hour: 7_200, burst_capacity: 120 },
      credits: { monthly_ai_credits: 8_000, current_balance: 8_000 },
      // No plugin of this service stores documents.
      documents: null,
      subgraphs: { current_count: 0, max_allowed: 3, remaining: 3, approaching_limit: false },
      content: { max_rows_per_copy: 2_000_000, max_single_table_rows: 5_000_000, chunk_size_rows: 500_000 },
      instance: { limit_gb: 20, status: reportsSizes() ? 'healthy' : 'unknown' },
    });
    if (!reportsSizes()) {
      expect(answer.body.storage.current_usage_gb).toBeNull();
      expect(answer.body.instance).toMatchObject({ total_storage_gb: null, usage_percentage: null, databases: [] });
      expect((await user.get(`/v1/graphs/${id}/info`)).body.database_size_bytes).toBe(-1);
      expect((await user.get(`/v1/graphs/${id}/health`)).body.storage_usage_mb).toBeNull();
      return;
    }
    const { items, total_storage_gb } = answer.body.instance;
    expect(items).toMatchObject([{ type: 'graph', id: `${id}.g0` }]);
    expect(items[0].bytes).toBeGreaterThan(0);
    expect(total_storage_gb).toBeCloseTo(items[0].bytes / 1024 ** 3, 8);
  });

  it('increase with the tier, and are the smallest for an unknown tier (platform T-1)', async () => {
    const other = await user.createGraph('Grown', []);
    const tier = (name: string) =>
      service.store.transaction('kernel', (tx) =>
        service.service.services.resolve(kernel.graphs).setTier(tx, other, name),
      );
    await tier('ladybug-xlarge');
    const cold = await service.newUser('Bob');
    expect((await cold.get(`/v1/graphs/${other}/limits`)).status).toBe(403);
    clock.advance(5_000);
    expect((await user.get(`/v1/graphs/${other}/limits`)).body).toMatchObject({
      storage: { max_storage_gb: 100 },
      rate_limits: { requests_per_minute: 480 },
      backups: { max_backups_per_day: -1 },
      subgraphs: { max_allowed: 25 },
    });
    await tier('ladybug-nobody');
    clock.advance(5_000);
    expect((await user.get(`/v1/graphs/${other}/limits`)).body).toMatchObject({
      subscription_tier: 'ladybug-standard',
      storage: { max_storage_gb: 20 },
    });
  });

  it('are those of graphs, which the library is not (graphs G-4)', async () => {
    for (const what of ['limits', 'usage'])
      expect((await user.get(`/v1/graphs/library/${what}`)).body).toMatchObject({ detail: 'Graph not found.' });
  });
});

describe('the metrics of a graph', () => {
  it('include types without rows and the disk usage (graphs H-30)', async () => {
    const answer = await user.get(`/v1/graphs/${id}/metrics`);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      graph_id: id,
      total_nodes: 0,
      total_relationships: 0,
      graph_name: 'Measured',
      user_role: 'admin',
      health_status: { status: 'healthy', is_stale: false },
      storage: reportsSizes() ? { items: [{ type: 'graph' }] } : { error: 'The graph engine does not report storage.' },
    });
    if (!reportsSizes()) return;
    const { total_bytes, total_kb } = answer.body.storage;
    expect(total_bytes).toBeGreaterThan(0);
    expect(total_kb).toBe(total_bytes / 1024);
  });
});

describe('the usage of a graph', () => {
  it('includes one storage snapshot per hour (platform T-7, graphs H-31)', async () => {
    const first = (await user.get(`/v1/graphs/${id}/usage?time_range=24h`)).body.storage_summary;
    const before = first?.measurement_count ?? 0;
    clock.advance(3_600_000);
    for (const _ of [1, 2]) await measure();
    const { storage_summary: storage } = (await user.get(`/v1/graphs/${id}/usage?time_range=24h`)).body;
    if (!reportsSizes()) {
      expect(storage).toBeNull();
      return;
    }
    expect(storage).toMatchObject({ graph_tier: 'ladybug-standard', measurement_count: before + 1 });
    expect(storage.max_storage_gb).toBeGreaterThan(0);
    expect(storage.avg_storage_gb).toBe(storage.min_storage_gb);
  });

  it('sums credits by purpose over the requested time (graphs H-31)', async () => {
    const pools = service.service.services.resolve(credits);
    const tokens = { model: 'anthropic_claude_4_sonnet', inputTokens: 5_000, outputTokens: 1_500 };
    const call = { operationId: 'op_1', callIndex: 0, operationType: 'analyst', userId: 'user_1', requestId: 'req_1' };
    await pools.settle({ graphId: id }, call, tokens);
    const { credit_summary } = (await user.get(`/v1/graphs/${id}/usage`)).body;
    expect(credit_summary).toEqual({
      graph_tier: 'ladybug-standard',
      total_credits_consumed: 37.5,
      total_base_cost: 37.5,
      operation_breakdown: { analyst: { credits: 37.5, calls: 1 } },
      cached_operations: 0,
      billable_operations: 1,
      transaction_count: 2,
    });
    const last = await user.get(`/v1/graphs/${id}/usage?time_range=last_month&include_storage=false`);
    expect(last.body).toMatchObject({ storage_summary: null, credit_summary: { total_credits_consumed: 0 } });
  });

  it('includes slow queries and recent events on request (graphs H-31, I-6)', async () => {
    const { services } = service.service;
    const use = { store: service.store, usage: services.resolve(usage) };
    await noteSlowQuery(use, id, 'MATCH (n) RETURN n', 4_999);
    await noteSlowQuery(use, id, `MATCH (n) RETURN n${' '.repeat(200)}`, 6_000);
    await services.resolve(usage).flush();
    const path = `/v1/graphs/${id}/usage?include_performance=true&include_events=true`;
    const { performance_insights: insights, recent_events } = (await user.get(path)).body;
    // On a busy machine the first query of this file may also have been slow.
    const noted = insights.slow_queries.filter(({ query }: { query: string }) => query.startsWith('MATCH'));
    expect(noted).toMatchObject([{ duration_ms: 6_000 }]);
    expect(noted[0].query).toHaveLength(100);
    expect(insights.performance_score).toBe(0);
    const types = recent_events.map((event: { type: string }) => event.type);
    expect(new Set(types)).toEqual(
      new Set([
        ...['query_executed', 'credit_consumption', 'api_call'],
        ...(reportsSizes() ? ['storage_snapshot'] : []),
      ]),
    );
    const plain = (await user.get(`/v1/graphs/${id}/usage`)).body;
    expect([plain.performance_insights, plain.recent_events]).toEqual([null, []]);
  });

  it('counts refused calls apart from those that failed (graphs H-31)', async () => {
    const other = await user.createGraph('Refusing', ['books']);
    expect((await user.post(`/v1/graphs/${other}/operations/materialize`, { source: 'staged' })).status).toBe(400);
    const { body } = await user.get(`/v1/graphs/${other}/usage?include_performance=true`);
    expect(body.performance_insights).toMatchObject({
      operation_stats: { materialize: { count: 1, failed: 0, refused: 1 } },
      performance_score: 100,
    });
  });

  it('counts the calls of a day in one row (platform T-7)', async () => {
    const counted = async () => {
      await service.service.services.resolve(usage).flush();
      return service.store.transaction('kernel', (tx) =>
        tx.query<{ amount: number }>(sql`
          SELECT amount FROM kernel_usage_event WHERE graph_id = ${id} AND type = 'api_call'`),
      );
    };
    const [before] = await counted();
    for (const _ of [1, 2, 3]) await user.get(`/v1/graphs/${id}/limits`);
    const after = await counted();
    expect(after).toEqual([{ amount: (before?.amount ?? 0) + 3 }]);
  });

  it('rejects an unknown time range with 422 (graphs H-31)', async () => {
    expect((await user.get(`/v1/graphs/${id}/usage?time_range=1y`)).status).toBe(422);
  });
});
