/** @module-tag engines */
import {
  fixedClock,
  joinTeam,
  startTestService,
  type TestClient,
  type TestService,
  teamSettings,
} from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import graph from '../src/index.ts';

const clock = fixedClock('2026-03-02T10:00:00Z');
const schema = {
  name: 'harbour',
  nodes: [{ name: 'Vessel', properties: [{ name: 'imo', type: 'STRING', is_primary_key: true }] }],
};

/** The events of a server-sent stream, with their data. */
function eventsOf(text: string): { readonly event: string; readonly data: Record<string, unknown> }[] {
  return text
    .split('\n\n')
    .filter((frame) => frame.startsWith('event: '))
    .map((frame) => {
      const [, event = '', data = ''] = /^event: (.*)\ndata: (.*)$/.exec(frame) ?? [];
      return { event, data: JSON.parse(data) };
    });
}

describe('the forms of an answer to Cypher', () => {
  let service: TestService;
  let owner: TestClient;
  let stranger: TestClient;
  let graphId: string;

  const ask = (query: string, search = '', headers: Record<string, string> = {}, rest: object = {}) =>
    owner.request('POST', `/v1/graphs/${graphId}/query/cypher${search}`, { query, ...rest }, headers);

  beforeAll(async () => {
    service = await startTestService({ plugins: [graph], settings: teamSettings, clock });
    owner = await service.newUser('Owner');
    stranger = await service.newUser('Stranger');
    const accepted = await owner.post('/v1/graphs', { metadata: { graph_name: 'Harbour' }, custom_schema: schema });
    graphId = (await owner.follow(accepted.body.operationId)).body.result.graph_id;
  });
  afterAll(() => service.close());

  it('are a queued operation for mode=async, whose result has the rows (graphs Q-44)', async () => {
    const queued = await ask(
      'UNWIND range(1, $n) AS x RETURN x, $big AS big',
      '?mode=async',
      {},
      {
        parameters: { n: 3, big: 0, text: 'i7' },
      },
    );
    expect(queued).toMatchObject({
      status: 202,
      body: {
        status: 'queued',
        query_id: queued.body.operation_id,
        queue_position: expect.any(Number),
        estimated_wait_seconds: expect.any(Number),
        _links: {
          self: `/v1/operations/${queued.body.operation_id}/status`,
          monitor: `/v1/operations/${queued.body.operation_id}/stream`,
        },
      },
    });
    const ended = await owner.follow(queued.body.operation_id);
    expect(ended.body).toMatchObject({
      status: 'completed',
      result: {
        data: [
          { x: 1, big: 0 },
          { x: 2, big: 0 },
          { x: 3, big: 0 },
        ],
        columns: ['x', 'big'],
        row_count: 3,
        graph_id: graphId,
      },
    });
    const stream = await owner.get(`/v1/operations/${queued.body.operation_id}/stream`);
    const names = [...String(stream.body).matchAll(/^event: (.*)$/gm)].map(([, name]) => name);
    expect(names).toEqual(expect.arrayContaining(['operation_started', 'operation_completed']));
    expect((await stranger.get(queued.body._links.self)).status).toBe(403);
  });

  it('are queued for the preference respond-async, with exact parameters (graphs 9.3, Q-45a)', async () => {
    const body = '{"query":"RETURN $big AS big, $text AS text","parameters":{"big":9007199254740993,"text":"i7"}}';
    const headers = { Prefer: 'respond-async, wait=5', 'content-type': 'application/json' };
    const queued = await owner.request('POST', `/v1/graphs/${graphId}/query/cypher`, body, headers);
    expect(queued.status).toBe(202);
    const ended = await owner.follow(queued.body.operation_id);
    expect(ended.body.result.data).toEqual([{ big: '9007199254740993', text: 'i7' }]);
  });

  it.each([
    ["CREATE (v:Vessel {imo: '1'})", 403],
    ['MATCH (v:Vessel RETURN v', 400],
    ['MATCH (b:Berth) RETURN b', 400],
  ])('are refusals at once for a queued %s (graphs 9.5)', async (query, status) => {
    expect((await ask(query, '?mode=async')).status).toBe(status);
  });

  it('are failures of the operation when a queued statement fails while it runs (graphs Q-44)', async () => {
    const queued = await ask('UNWIND [1, 0] AS t RETURN 1 / t AS n', '?mode=async');
    const ended = await owner.follow(queued.body.operation_id);
    expect(ended.body).toMatchObject({ status: 'failed', error: expect.stringContaining('Query error') });
  });

  it('are a queued write once on a subgraph (graphs Q-21)', async () => {
    const given = { name: 'trial', display_name: 'Trial' };
    await owner.post(`/v1/graphs/${graphId}/operations/create-subgraph`, given);
    const path = `/v1/graphs/${graphId}_trial/query/cypher`;
    const queued = await owner.post(`${path}?mode=async`, {
      query: "CREATE (v:Vessel {imo: '1'}) RETURN v.imo AS imo",
    });
    expect((await owner.follow(queued.body.operation_id)).body.result.data).toEqual([{ imo: '1' }]);
    const found = await owner.post(path, { query: 'MATCH (v:Vessel) RETURN count(*) AS n' });
    expect(found.body.data).toEqual([{ n: 1 }]);
  });

  it('are gone an hour after a queued statement ended (graphs Q-44)', async () => {
    const { key } = (await owner.post('/v1/user/api-keys', { name: 'later' })).body;
    const { operation_id: id } = (await ask('RETURN 1 AS x', '?mode=async')).body;
    await owner.follow(id);
    const later = service.anonymous.withHeaders({ 'x-api-key': key });
    clock.advance(3_000_000);
    expect((await later.get(`/v1/operations/${id}/status`)).status).toBe(200);
    clock.advance(4_300_000);
    const status = async () => (await later.get(`/v1/operations/${id}/status`)).status;
    await expect.poll(status, { timeout: 300_000 }).toBe(404);
    clock.set('2026-03-02T10:00:00Z');
  });

  it.each([
    ['?mode=stream', 'UNWIND range(1, 25000) AS x RETURN x', 25_000],
    ['', 'UNWIND range(1, 25000) AS x RETURN x', 25_000],
    ['?mode=stream', 'MATCH (v:Vessel) RETURN v.imo AS x', 0],
  ])('are server-sent events for a caller who accepts them: %s %s (graphs Q-43)', async (search, query, rows) => {
    const answer = await ask(query, search, { Accept: 'text/event-stream' });
    expect(answer.headers.get('content-type')).toContain('text/event-stream');
    const events = eventsOf(String(answer.body));
    expect(events[0]).toMatchObject({ event: 'started', data: { graph_id: graphId } });
    expect(events[1]).toEqual({ event: 'schema', data: { columns: ['x'] } });
    const chunks = events.filter(({ event }) => event === 'chunk');
    expect(chunks.flatMap(({ data }) => data['rows'])).toHaveLength(rows);
    expect(chunks.map(({ data }) => data['chunk_number'])).toEqual(chunks.map((_, index) => index + 1));
    expect(chunks.at(-1)?.data['total_rows'] ?? 0).toBe(rows);
    const complete = { total_rows: rows, total_chunks: chunks.length, graph_id: graphId };
    expect(events.at(-1)).toMatchObject({ event: 'complete', data: complete });
    expect(events.filter(({ event }) => event === 'progress')).toHaveLength(Math.floor(chunks.length / 10));
  });

  it('are JSON for few rows, whatever the caller accepts (graphs 9.3)', async () => {
    const answer = await ask('RETURN 1 AS x', '', { Accept: 'text/event-stream, application/json' });
    expect(answer.body).toMatchObject({ data: [{ x: 1 }] });
  });

  it('are NDJSON at once for the preference stream (graphs 9.3)', async () => {
    const answer = await ask('RETURN 1 AS x', '', { Accept: 'application/x-ndjson', Prefer: 'stream' });
    expect(answer.headers.get('x-stream-format')).toBe('ndjson');
  });

  it('are the first thousand rows for a person at a tool who gave no limit (graphs Q-34)', async () => {
    const tool = { 'User-Agent': 'curl/8.0' };
    const short = await ask('UNWIND range(1, 20000) AS x RETURN x', '', tool);
    expect(short.body).toMatchObject({ row_count: 1_000, truncated: true, truncated_at: 1_000 });
    expect(short.body.data).toHaveLength(1_000);
    expect([short.body.warning, short.body.suggestion]).toEqual([
      expect.stringContaining('no LIMIT'),
      expect.stringContaining('LIMIT'),
    ]);
    const limited = await ask('UNWIND range(1, 20000) AS x RETURN x LIMIT 5000', '', tool);
    expect([limited.body.row_count, limited.body.truncated]).toEqual([5_000, undefined]);
  });

  it('are cut off at fifty megabytes in a single response (graphs L-6)', async () => {
    const wide = await ask(
      'UNWIND range(1, 9000) AS x RETURN $text AS t',
      '?mode=sync',
      {},
      {
        parameters: { text: 'wide text!'.repeat(1_000) },
      },
    );
    expect(wide.body).toMatchObject({ truncated: true });
    expect(wide.body.row_count).toBeGreaterThan(4_000);
    expect(wide.body.row_count).toBeLessThan(5_100);
  });

  it('are 429 for the eleventh statement of a user, until one of the others ends (graphs L-8)', async () => {
    const leave = new AbortController();
    // Longer than what the connections buffer, on two graphs, each of which runs at most eight statements.
    const query = `UNWIND range(1, 20000) AS x RETURN '${'wide text!'.repeat(100)}' AS text`;
    const streams = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        fetch(`${owner.url}/v1/graphs/${index % 2 === 0 ? graphId : `${graphId}_trial`}/query/cypher?mode=stream`, {
          method: 'POST',
          headers: { ...owner.headers, 'content-type': 'application/json' },
          body: JSON.stringify({ query }),
          signal: leave.signal,
        }),
      ),
    );
    for (const { status } of streams) expect(status).toBe(200);
    const refused = await ask('RETURN 1 AS x');
    expect([refused.status, refused.body.detail, refused.headers.get('retry-after')]).toEqual([
      429,
      'Too many concurrent queries. Please wait for existing queries to complete.',
      '2',
    ]);
    leave.abort();
    await expect.poll(async () => (await ask('RETURN 1 AS x')).status, { timeout: 300_000 }).toBe(200);
  });

  it('are complete for more statements than a graph runs at once, because the others wait (graphs C-4)', async () => {
    const team = [owner];
    for (let count = 0; count < 3; count += 1) {
      const { client, userId } = await joinTeam(service, owner);
      await owner.post(`/v1/graphs/${graphId}/members`, { user_id: userId, role: 'viewer' });
      team.push(client);
    }
    const query = 'UNWIND range(1, 2000) AS x RETURN sum(x) AS s';
    const answers = await Promise.all(
      team.flatMap((caller) =>
        Array.from({ length: 10 }, () => caller.post(`/v1/graphs/${graphId}/query/cypher`, { query })),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });
});
