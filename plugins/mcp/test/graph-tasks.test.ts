import { analyticalGraph } from '@pacioli/graph';
import { describe, expect, it } from 'vitest';
import { ann, client, graphId, service, useAuthorization } from './authorization-fixture.ts';
import { statelessRequest } from './stateless-request.ts';
import { tasks } from './task-fixture.ts';

/** Goal: an operation or read of a real graph is a task (ai-surface M-20e). Method: an access token, and the engine. */
useAuthorization();

/** Sends a request of a client that takes tasks, and returns the result. */
async function send(method: string, params: object) {
  const { access_token } = await client.connect(ann, graphId);
  const { headers, body } = statelessRequest(method, { ...params }, { capabilities: tasks });
  const app = service.anonymous.withHeaders({ ...headers, authorization: `Bearer ${access_token}` });
  return (await app.post('/v1/mcp', body)).body.result;
}

describe('a backup', () => {
  // The engine of the graph writes a backup.
  it('is a task, whose result is that of the operation (ai-surface M-20e, platform L-17)', async () => {
    const { taskId, resultType } = await send('tools/call', { name: 'create-backup', arguments: {} });
    expect(resultType).toBe('task');
    const status = async () => (await send('tasks/get', { taskId })).status;
    await expect.poll(status, { timeout: 60_000 }).toBe('completed');
    const { result } = (await ann.get(`/v1/operations/${taskId}/status`)).body;
    expect(JSON.parse((await send('tasks/get', { taskId })).result.content[0].text)).toEqual(result);
    expect(result).toMatchObject({ backup_id: expect.any(String) });
  });
});

describe('a read with Cypher', () => {
  const read = (query: string, meta: object = {}) =>
    send('tools/call', { name: 'read-graph-cypher', arguments: { query }, _meta: meta });

  /** Runs as many statements as the graph may run at once, until the function that is returned is called. */
  async function busyGraph(): Promise<() => Promise<void>> {
    const { signal } = new AbortController();
    const options = { timeoutMs: 300_000, maxRows: 100_000, rowsPerChunk: 1, signal };
    const statement = { text: 'UNWIND range(1, 100000) AS n RETURN n', parameters: {} };
    const analytical = service.service.services.resolve(analyticalGraph);
    const running = await Promise.all(
      Array.from({ length: service.graphStore.maxStatementsPerGraph }, () =>
        analytical.query({ id: graphId, extensions: [] }, statement, options),
      ),
    );
    return async () => void (await Promise.all(running.map((stream) => stream.cancel())));
  }

  it('is a task while the graph is busy, and else its result (ai-surface M-13, M-20e)', async () => {
    const release = await busyGraph();
    const once = { idempotencyKey: 'once' };
    const [kept, canceled] = [await read('RETURN 1 AS one', once), await read('RETURN 2 AS two')];
    expect((await read('RETURN 1 AS one', once)).taskId).toBe(kept.taskId);
    expect(kept).toMatchObject({ resultType: 'task', status: 'working', ttlMs: 3_600_000 });
    const queued = async () => (await send('tasks/get', kept)).statusMessage;
    await expect.poll(queued, { timeout: 30_000 }).toMatch(/^Queued \(position \d\)$/);
    await send('tasks/cancel', canceled);
    await release();
    const status = async (task: object) => (await send('tasks/get', task)).status;
    await expect.poll(() => status(kept), { timeout: 60_000 }).toBe('completed');
    await expect.poll(() => status(canceled), { timeout: 60_000 }).toBe('cancelled');
    const { result } = await send('tasks/get', kept);
    const direct = await read('RETURN 1 AS one');
    expect(direct).toMatchObject({ resultType: 'complete', structuredContent: { rows: [{ one: 1 }], row_count: 1 } });
    expect(result).toMatchObject({ structuredContent: direct.structuredContent, content: direct.content });
  });

  it('is refused at once, not as a task, for what its text shows (ai-surface PX-7, PX-10)', async () => {
    const release = await busyGraph();
    for (const query of ['CREATE (n:Entity)', 'MATCH (e:Entity) RETURN e.tax_id AS x', 'RETURN 1; RETURN 2'])
      expect(await read(query)).toMatchObject({ resultType: 'complete', isError: true });
    await release();
  });
});
