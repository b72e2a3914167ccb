/** @module-tag sessions */
import { createToken, defineOperation, definePlugin, defineQuery, model, provide } from '@pacioli/core';
import { startTestService, type TestService } from '@pacioli/testing';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** Operations that wait until the test opens the gate. */
const gate = createToken<{ running: number; most: number; opened: Promise<void> }>('gates.gate');
let open: () => void = () => undefined;

const gates = definePlugin({
  name: 'gates',
  title: 'Gates',
  version: '1.0.0',
  kernel: '^0.1.0',
  domain: 'gates',
  providers: [
    provide(gate, {
      create: () => ({
        running: 0,
        most: 0,
        opened: new Promise<void>((resolve) => {
          open = resolve;
        }),
      }),
    }),
  ],
  queries: [defineQuery({ name: 'quick', summary: 'One.', returns: Type.Integer(), resolve: async () => 1 })],
  operations: [
    defineOperation({
      name: 'wait-at-gate',
      summary: 'Waits until the test opens the gate.',
      role: 'member',
      openapi: { id: 'wait_at_gate', tag: 'gates' },
      mcp: { held: 'Only for tests.' },
      input: model('WaitAtGateRequest', {}),
      output: model('WaitAtGateResponse', {}),
      services: { gate },
      handle: async ({ use }) => {
        use.gate.running += 1;
        use.gate.most = Math.max(use.gate.most, use.gate.running);
        await use.gate.opened;
        use.gate.running -= 1;
        return {};
      },
    }),
  ],
});

let service: TestService;
beforeAll(async () => {
  service = await startTestService({
    plugins: [gates],
    settings: { operations: { maxRunningPerGraph: 2, maxWaitingPerGraph: 3 } },
  });
});
afterAll(() => service.close());

describe('many callers of one graph', () => {
  it('run a few at once, wait, or get 429 with the time to wait (platform N-33, N-34)', async (context) => {
    if (service.store.driver !== 'postgres')
      context.skip('The embedded store has one connection, which the first operation of the test holds.');
    const owner = await service.newUser();
    const busy = await owner.createGraph('Busy', ['gates']);
    const calls = Array.from({ length: 7 }, () => owner.post(`/extensions/gates/${busy}/operations/wait-at-gate`));
    const refused = await Promise.race(calls);
    expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([
      429,
      'CONCURRENCY_LIMIT',
      '1',
    ]);
    await expect.poll(() => service.service.services.resolve(gate).running, { timeout: 20_000 }).toBe(2);
    open();
    const answers = await Promise.all(calls);
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429]);
    expect(service.service.services.resolve(gate).most).toBe(2);
    expect((await owner.graphql(busy, '{ quick }')).body.data).toEqual({ quick: 1 });
  });
});
