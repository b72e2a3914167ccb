import { createHash } from 'node:crypto';
import Router from '@koa/router';
import { definePlugin, defineRoute, model } from '@pacioli/core';
import Koa from 'koa';
import { Type } from 'typebox';
import { listen, startBenchService } from './bench-service.ts';
import { type Figure, inTurns, rateOf } from './measure.ts';

const callers = 16;
const seconds = 4;

const ping = defineRoute({
  name: 'get-ping',
  path: 'GET /v1/ping',
  summary: 'Responds to authenticated callers.',
  openapi: { id: 'get_ping', tag: 'bench' },
  category: 'tasks',
  auth: ['api-key', 'bearer'],
  answers: { 200: model('Ping', { user: Type.String() }) },
  fails: [],
  handle: async ({ ctx }) => ({ user: ctx.caller.userId }),
});

const plugin = definePlugin({ name: 'bench', title: 'Bench', version: '1.0.0', kernel: '^0.1.0', routes: [ping] });

/** S10: a route that only authenticates, compared with a bare Koa route that looks up the key by its digest. */
export async function authentication(): Promise<readonly Figure[]> {
  const bench = await startBenchService([plugin]);
  const { pool, service, user } = bench;
  const key = String((await user.post('/v1/user/api-keys', { name: 'Bench' })).body.key);
  const app = new Koa();
  const router = new Router();
  router.get('/bare', async (context) => {
    const digest = createHash('sha256').update(context.get('x-api-key')).digest('hex');
    const { rows } = await pool.query(
      `SELECT k.user_id FROM kernel_api_key k JOIN kernel_user u ON u.id = k.user_id
       WHERE k.fingerprint = $1 AND k.is_active AND u.is_active`,
      [digest],
    );
    context.body = { user: rows[0]?.user_id };
  });
  app.use(router.routes());
  const bare = await listen(app);
  const ask = async (url: string): Promise<void> => {
    const answer = await fetch(url, { headers: { 'x-api-key': key } });
    if (answer.status !== 200) throw new Error(`The call returned status ${answer.status}.`);
    await answer.arrayBuffer();
  };
  const transactions = async (): Promise<number> => {
    await pool.query('SELECT pg_stat_clear_snapshot()');
    const { rows } = await pool.query(
      `SELECT xact_commit AS count FROM pg_stat_database WHERE datname = current_database()`,
    );
    return Number(rows[0]?.count);
  };
  try {
    let calls = 0;
    const before = await transactions();
    const rates = await inTurns(
      3,
      () =>
        rateOf(callers, seconds, () => {
          calls += 1;
          return ask(`${service.url}/v1/ping`);
        }),
      () => rateOf(callers, seconds, () => ask(`${bare.url}/bare`)),
    );
    const bareCalls = Math.round(rates.bare * seconds * 3);
    const ours = Math.max(0, (await transactions()) - before - bareCalls) / calls;
    const note = `about ${ours.toFixed(3)} store transactions per call of ours`;
    return [{ name: 'authentication, warm path', unit: 'calls/s', kind: 'rate', goal: '≤ 1 read', ...rates, note }];
  } finally {
    await bare.close();
    await bench.close();
  }
}
