/** @module-tag sessions */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { kernel, type Transaction } from '@pacioli/core';
import { ladybugGraphStore } from '@pacioli/graph-ladybug';
import { type Answer, listenTo, startTestService, type TestClient, type TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import graph, { analyticalGraph, graphMaterialized } from '../src/index.ts';
import { edges, samples, things } from './samples-plugin.ts';

// Goal: data flows from store rows to query results over HTTP. Method: a plugin with two types and the real drivers.
const listener = listenTo(graphMaterialized);

describe('the analytical graph over HTTP', () => {
  let folder: string;
  let service: TestService;
  let user: TestClient;
  let graphId: string;
  const graphStoreOf = () => ladybugGraphStore({ folder });
  let graphStore: ReturnType<typeof graphStoreOf>;

  const cypher = (query: string, rest: object = {}, search = '') =>
    user.post(`/v1/graphs/${graphId}/query/cypher${search}`, { query, ...rest });

  async function materialize(body: object = {}) {
    const accepted = await user.post(`/v1/graphs/${graphId}/operations/materialize`, body);
    expect(accepted).toMatchObject({ status: 202, body: { status: 'pending', operation: 'materialize' } });
    return (await user.follow(accepted.body.operationId)).body;
  }

  async function markStale(reason: string): Promise<void> {
    const { graphs } = service.service.services.useFor({ graphs: kernel.graphs }) as {
      graphs: (typeof kernel.graphs)['type'];
    };
    await service.store.transaction({ graphId }, async (tx) => graphs?.markStale(tx, graphId, reason));
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pacioli-graph-'));
    graphStore = graphStoreOf();
    service = await startTestService({ plugins: [graph, samples, listener.plugin], graphStore });
    user = await service.newUser('ada');
    graphId = await user.createGraph('Samples', ['samples']);
  });
  afterAll(async () => {
    await service.close();
    await graphStore.close();
    await rm(folder, { recursive: true });
  });

  it('has no rows for plugins before the first build (graphs Q-55)', async () => {
    const answer = await user.graphql(graphId, '{ busyDays(limit: 2) { days { day } staleSince } }');
    expect(answer.body.data.busyDays.days).toEqual([]);
  });

  it('shows all types of the empty graph before the first build (graphs SC-50)', async () => {
    const answer = await user.get(`/v1/graphs/${graphId}/schema`);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      graph_id: graphId,
      schema: {
        node_labels: ['Thing'],
        relationship_types: ['FOLLOWS'],
        node_properties: { Thing: ['identifier', 'number', 'amount', 'day'] },
        relationships: [{ name: 'FOLLOWS', from: 'Thing', to: 'Thing', properties: [] }],
      },
    });
    expect((await cypher('MATCH (t:Thing) RETURN t.number')).body).toMatchObject({
      data: [],
      columns: ['t.number'],
      row_count: 0,
    });
  });

  it('materializes all types, returns the loaded data and announces it (graphs M-6, M-20a, platform N-6)', async () => {
    let ended: Answer['body'];
    const heard = await listener.during(service, async () => {
      ended = await materialize();
    });
    const payload = { graph_id: graphId, operation_id: ended.operation_id, rows: things + 1 };
    expect(heard).toEqual([{ name: 'graph.materialized', payload }]);
    expect(ended.status).toBe('completed');
    expect(ended.result).toMatchObject({
      status: 'success',
      graph_id: graphId,
      tables_materialized: ['Thing', 'FOLLOWS'],
      total_rows: things + 1,
      rebuild: false,
    });
    const answer = await cypher(
      'MATCH (t:Thing) RETURN count(t) AS things, sum(t.number) AS total, max(t.day) AS last',
    );
    expect(answer.body).toMatchObject({
      success: true,
      data: [{ things, total: (things * (things + 1)) / 2, last: '2026-01-30' }],
      columns: ['things', 'total', 'last'],
      row_count: 1,
      graph_id: graphId,
    });
    // An entity graph stages nothing (graphs T-1).
    expect((await user.get(`/v1/graphs/${graphId}/tables`)).body.tables).toMatchObject([
      { table_name: 'Thing', row_count: things, file_count: 0 },
      { table_name: 'FOLLOWS', row_count: 1, file_count: 0 },
    ]);
  });

  it('lets plugins read rows up to a limit, and how current the graph is (graphs Q-55)', async () => {
    const days = async () =>
      (await user.graphql(graphId, '{ busyDays(limit: 2) { days { day things } staleSince } }')).body.data.busyDays;
    const found = [
      { day: '2026-01-01', things: things / 30 },
      { day: '2026-01-02', things: things / 30 },
    ];
    expect(await days()).toEqual({ days: found, staleSince: null });
    const reads = service.service.services.resolve(analyticalGraph);
    const of = { id: graphId, extensions: ['samples'] };
    const read = <T>(work: (tx: Transaction) => Promise<T>) =>
      service.store.transaction({ graphId }, work, { readOnly: true });
    const numbers = (maxRows: number) =>
      read((tx) => reads.rows(tx, of, { text: 'MATCH (t:Thing) RETURN t.number AS n ORDER BY n' }, { maxRows }));
    expect(await numbers(2)).toEqual({ columns: ['n'], rows: [{ n: 1 }, { n: 2 }], isTruncated: true });
    expect(await numbers(things)).toMatchObject({ rows: { length: things }, isTruncated: false });
    await expect(numbers(10_001)).rejects.toThrow('maxRows is a whole number from 1 to 10000, not 10001.');
    await expect(read((tx) => reads.rows(tx, of, { text: 'CREATE (t:Thing)' }))).rejects.toMatchObject({
      name: 'ServiceError',
    });
    await markStale('thing_added');
    expect(await read((tx) => reads.freshness(tx, of))).toEqual({
      materializedAt: expect.any(Date),
      staleSince: expect.any(Date),
      staleReason: 'thing_added',
    });
    expect((await days()).staleSince).not.toBeNull();
    await materialize();
    expect(await read((tx) => reads.freshness(tx, of))).toMatchObject({ staleSince: null, staleReason: null });
  });

  it('reports each table on the operation stream (graphs M-8)', async () => {
    const accepted = await user.post(`/v1/graphs/${graphId}/operations/materialize`, { force: true });
    const messages: string[] = [];
    for await (const frame of user.stream(`/v1/operations/${accepted.body.operationId}/stream`)) {
      if (typeof frame.data?.message === 'string') messages.push(frame.data.message);
      if (frame.event === 'operation_completed') break;
    }
    expect(messages.filter((message) => message.startsWith('Loaded'))).toEqual(['Loaded Thing', 'Loaded FOLLOWS']);
  });

  it('skips a fresh graph and rebuilds a stale one, with the reason (graphs M-7, M-32)', async () => {
    expect((await materialize()).result).toMatchObject({ status: 'skipped', message: 'Graph is fresh' });
    await markStale('transaction_created');
    expect((await materialize()).result).toMatchObject({
      status: 'success',
      was_stale: true,
      stale_reason: 'transaction_created',
    });
  });

  it('keeps the old graph and the stale mark when a build fails and leaves no files behind (graphs M-20, M-24)', async () => {
    await markStale('entity_updated');
    const before = await graphStore.generations(graphId);
    edges.push({ from: 't1', to: 'nobody' });
    const failed = await materialize();
    edges.pop();
    expect(failed.status).toBe('failed');
    expect(JSON.stringify(failed)).toContain('t1 -> nobody');
    expect(await graphStore.generations(graphId)).toEqual(before);
    expect((await cypher('MATCH (t:Thing) RETURN count(t) AS n')).body.data).toEqual([{ n: things }]);
    expect((await materialize()).result).toMatchObject({ status: 'success', stale_reason: 'entity_updated' });
    expect(await graphStore.generations(graphId)).toHaveLength(1);
  });

  it('writes nothing in a dry run (graphs M-3)', async () => {
    const before = await graphStore.generations(graphId);
    const answer = await user.post(`/v1/graphs/${graphId}/operations/materialize`, { dry_run: true, force: true });
    expect(answer).toMatchObject({
      status: 202,
      body: { status: 'completed', result: { status: 'dry_run', total_rows: 0 } },
    });
    expect(await graphStore.generations(graphId)).toEqual(before);
  });

  it('refuses a source that the graph does not have (graphs M-1)', async () => {
    const path = `/v1/graphs/${graphId}/operations/materialize`;
    expect((await user.post(path, { source: 'staged' })).status).toBe(400);
    expect((await user.post(path, { source: 'elsewhere' })).status).toBe(422);
  });

  it('streams a large result as NDJSON with its totals (graphs Q-41)', async () => {
    const answer = await cypher('MATCH (t:Thing) RETURN t.number AS number ORDER BY number', {}, '?chunk_size=500');
    expect(answer.headers.get('content-type')).toContain('application/x-ndjson');
    expect(answer.headers.get('x-graph-id')).toBe(graphId);
    const lines = String(answer.body)
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toHaveLength(things / 500 + 1);
    expect(lines[0]).toMatchObject({ chunk_index: 0, row_count: 500, total_rows_sent: 500, columns: ['number'] });
    expect(
      lines
        .slice(0, -1)
        .flatMap((line) => line.rows)
        .map((row) => row.number),
    ).toEqual(Array.from({ length: things }, (_, index) => index + 1));
    expect(lines.at(-1)).toMatchObject({ complete: true, total_rows: things, graph_id: graphId });
  });

  it('returns JSON for a small result and for mode=sync (graphs Q-32)', async () => {
    expect((await cypher('MATCH (t:Thing) RETURN t.number LIMIT 3')).body.row_count).toBe(3);
    expect((await cypher('MATCH (t:Thing) RETURN t.number', {}, '?mode=sync')).body.row_count).toBe(things);
    const empty = String(
      (await cypher('MATCH (t:Thing) WHERE t.number < 0 RETURN t.number AS n', {}, '?mode=stream')).body,
    ).split('\n');
    expect(JSON.parse(empty[0] ?? '')).toMatchObject({ rows: [], columns: ['n'] });
  });

  it('truncates a JSON response at 10,000 rows and says so (graphs Q-40)', async () => {
    const exactly = await cypher('UNWIND range(1, 10000) AS x RETURN x', {}, '?mode=sync');
    expect([exactly.body.row_count, exactly.body.truncated]).toEqual([10_000, undefined]);
    const cut = await cypher('UNWIND range(1, 10001) AS x RETURN x', {}, '?mode=sync');
    expect([cut.body.row_count, cut.body.truncated]).toEqual([10_000, true]);
  });

  it('releases the engine when a reader disconnects in the middle of a stream (graphs E-43)', async () => {
    const leave = new AbortController();
    const response = await fetch(`${user.url}/v1/graphs/${graphId}/query/cypher?mode=stream`, {
      method: 'POST',
      headers: { ...user.headers, 'content-type': 'application/json' },
      body: JSON.stringify({ query: 'UNWIND range(1, 900000) AS x RETURN x, x * 2 AS y' }),
      signal: leave.signal,
    });
    await response.body?.getReader().read();
    expect((await graphStore.probe()).running_statements).toBe(1);
    leave.abort();
    await expect.poll(async () => (await graphStore.probe()).running_statements).toBe(0);
  });

  it('passes parameters and returns nodes with their label (graphs Q-2, Q-45)', async () => {
    const answer = await cypher('MATCH (t:Thing) WHERE t.identifier = $id RETURN t', {
      parameters: { id: 't7', unused: 1 },
    });
    expect(answer.body.data).toEqual([
      { t: { identifier: 't7', number: 7, amount: 0.07, day: '2026-01-08', _label: 'Thing', _id: expect.any(String) } },
    ]);
  });

  it.each([
    ['MATCH (t:Thing) SET t.number = 1', 403, 'QUERY_NOT_ALLOWED'],
    ["LOAD FROM '/etc/passwd' RETURN *", 400, 'BULK_NOT_ALLOWED'],
    ["EXPORT DATABASE '/tmp/x'", 403, 'QUERY_NOT_ALLOWED'],
    ['RETURN 1; RETURN 2', 400, 'INVALID_QUERY'],
    ['MATCH (t:Thing RETURN t', 400, 'INVALID_QUERY'],
    ['MATCH (t:Nothing) RETURN t', 400, 'INVALID_QUERY'],
    ['MATCH (h:Hidden) RETURN h', 400, 'INVALID_QUERY'],
    ["RETURN cast('x' AS INT64) AS x", 400, 'INVALID_QUERY'],
    ['RETURN $missing AS x', 400, 'INVALID_QUERY'],
    ['   ', 422, 'INVALID_INPUT'],
  ])('answers %s with %d (graphs 9.2, 9.5)', async (query, status, code) => {
    const answer = await cypher(query);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect(answer.body.detail).not.toContain(folder);
  });

  it('stops a query at its time limit with 408 and advice (graphs Q-51)', async () => {
    const endless =
      'MATCH (a:Thing), (b:Thing), (c:Thing) WHERE a.number * b.number = c.number + 0.5 RETURN count(*) AS n';
    const answer = await cypher(endless, { timeout: 1 });
    expect(answer.status).toBe(408);
    expect(answer.body.details).toMatchObject({ timeout_seconds: 1 });
  });

  it('hides the graph from non-members (graphs I-2)', async () => {
    const stranger = await service.newUser('eve');
    const answer = await stranger.post(`/v1/graphs/${graphId}/query/cypher`, { query: 'MATCH (t:Thing) RETURN t' });
    expect([403, 404]).toContain(answer.status);
  });

  it('rejects unknown fields and sizes out of range (graphs Q-1, Q-3)', async () => {
    expect((await cypher('RETURN 1 AS x', { other: 1 })).status).toBe(422);
    expect((await cypher('RETURN 1 AS x', { timeout: 301 })).status).toBe(422);
    expect((await cypher('RETURN 1 AS x', {}, '?chunk_size=9')).status).toBe(422);
    expect((await cypher(`RETURN '${'x'.repeat(50_000)}' AS x`)).status).toBe(422);
  });
});
