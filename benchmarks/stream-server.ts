/** The process whose memory the streams benchmark measures: an API on a free port with operations to watch. */
import { defineOperation, definePlugin, model } from '@pacioli/core';
import { postgresStore } from '@pacioli/store-postgres';
import { startTestService } from '@pacioli/testing';
import { Type } from 'typebox';

const watched = defineOperation({
  name: 'wait-for-answer',
  summary: 'Asks and waits, so that its streams are idle, and completes when it is resumed.',
  role: 'member',
  runs: 'worker',
  maxSeconds: 600,
  restartable: true,
  dedupe: false,
  openapi: { id: 'wait_for_answer', tag: 'bench' },
  mcp: { held: 'Only for tests.' },
  input: model('WaitForAnswerRequest', {}),
  output: model('WaitForAnswerResponse', { ok: Type.Boolean() }),
  async handle({ ctx }) {
    if (ctx.resume === undefined) return ctx.ask({ prompt: 'Go on?', checkpoint: { step: 1 } });
    return { ok: true };
  },
});

const url = process.argv[2];
if (url === undefined) throw new Error('Give the URL of a database.');
const store = await postgresStore({ url, maxConnections: 8 });
const service = await startTestService({
  plugins: [
    definePlugin({
      name: 'bench',
      title: 'Bench',
      version: '1.0.0',
      kernel: '^0.1.0',
      domain: 'bench',
      operations: [watched],
    }),
  ],
  store,
  settings: { rateLimits: { profile: 'test' }, sse: { maxPerUser: 10_000 } },
});
process.on('message', () => {
  globalThis.gc?.();
  process.send?.({ residentBytes: process.memoryUsage().rss });
});
process.send?.({ url: service.url });
