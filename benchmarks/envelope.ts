import { randomUUID } from 'node:crypto';
import Router from '@koa/router';
import { defineOperation, definePlugin, model } from '@pacioli/core';
import Koa from 'koa';
import type pg from 'pg';
import { Type } from 'typebox';
import { listen, ok, poster, startBenchService } from './bench-service.ts';
import { type Figure, inTurns, rateOf } from './measure.ts';

const callers = 16;
const seconds = 4;

const doNothing = defineOperation({
  name: 'do-nothing',
  summary: 'An empty handler.',
  role: 'member',
  openapi: { id: 'do_nothing', tag: 'bench' },
  mcp: { held: 'Only for tests.' },
  input: model('DoNothingRequest', { text: Type.String() }),
  output: model('DoNothingResponse', { text: Type.String() }),
  handle: async ({ input }) => ({ text: input.text }),
});

const plugin = definePlugin({
  name: 'bench',
  title: 'Bench',
  version: '1.0.0',
  kernel: '^0.1.0',
  domain: 'bench',
  operations: [doNothing],
});

/** S1: overhead of the envelope, compared with a route that inserts the same rows in one transaction. */
export async function envelope(): Promise<readonly Figure[]> {
  const bench = await startBenchService([plugin]);
  const graph = await bench.user.createGraph('Bench', ['bench']);
  const bare = await listen(bareApp(bench.pool, graph));
  const post = poster(bench.user.headers);
  const url = `${bench.service.url}/extensions/bench/${graph}/operations/do-nothing`;
  const body = JSON.stringify({ text: 'hello' });
  try {
    const rates = await inTurns(
      3,
      () => rateOf(callers, seconds, () => ok(post(url, body, { 'idempotency-key': randomUUID() }))),
      () => rateOf(callers, seconds, () => ok(post(`${bare.url}/bare`, body, { 'idempotency-key': randomUUID() }))),
    );
    return [{ name: 'envelope overhead, 16 callers', unit: 'calls/s', kind: 'rate', goal: '≥ 60 %', ...rates }];
  } finally {
    await bare.close();
    await bench.close();
  }
}

/** Inserts the record, key and audit rows that the envelope writes, with hand-written SQL. */
function bareApp(pool: pg.Pool, graph: string): Koa {
  const app = new Koa();
  const router = new Router();
  router.post('/bare', async (context) => {
    const chunks: Buffer[] = [];
    for await (const chunk of context.req as AsyncIterable<Buffer>) chunks.push(chunk);
    const { text } = JSON.parse(Buffer.concat(chunks).toString()) as { text: string };
    const id = `op_${randomUUID()}`;
    const key = context.get('idempotency-key');
    const now = new Date();
    const client = await pool.connect();
    try {
      await client.query('BEGIN');
      await client.query(
        `INSERT INTO kernel_operation (id, graph_id, user_id, name, runs, status, result, created_at, updated_at, finished_at)
         VALUES ($1, $2, 'user', 'do-nothing', 'inline', 'completed', $3, $4, $4, $4)`,
        [id, graph, { text }, now],
      );
      await client.query(
        `INSERT INTO kernel_idempotency (key_hash, graph_id, operation_id, is_of_worker, expires_at)
         VALUES (substr(sha256(convert_to($2, 'UTF8')), 1, 16), $1, $3, false, $4)`,
        [graph, key, id, now],
      );
      await client.query(
        `INSERT INTO kernel_operation_audit (operation_id, graph_id, user_id, operation, surface, status, duration_ms, input_fingerprint,
           request_id, credential, at)
         VALUES ($1, $2, 'user', 'do-nothing', 'rest', 'completed', 0, 'fingerprint', 'req', 'jwt', $3)`,
        [id, graph, now],
      );
      await client.query('COMMIT');
      context.body = { operation: 'do-nothing', operationId: id, status: 'completed', result: { text } };
    } catch (error) {
      await client.query('ROLLBACK');
      throw error;
    } finally {
      client.release();
    }
  });
  app.use(router.routes());
  return app;
}
