import type { AddressInfo } from 'node:net';
import { calendarDate, definePlugin, defineQuery, model } from '@pacioli/core';
import { assemble, describeSet } from '@pacioli/core/assembly';
import { ladybugGraphStore } from '@pacioli/graph-ladybug';
import { createKoaApp, createLimitedServer } from '@pacioli/host-koa';
import { describe, expect, it } from 'vitest';
import { openTestStore, startTestService } from './start-test-service.ts';
import { TestClient } from './test-client.ts';

/** A plugin with a field of an unknown type. */
const broken = definePlugin({
  name: 'broken',
  title: 'Broken',
  version: '1.0.0',
  kernel: '^0.1.0',
  queries: [
    defineQuery({
      name: 'brokenThing',
      summary: 'A thing whose type cannot be made.',
      returns: model('BrokenThing', { due: calendarDate({ graphql: { type: 'MissingType' } }) }),
      resolve: async () => ({ due: '2026-03-31' }),
    }),
  ],
});

describe('an invalid GraphQL schema', () => {
  it('fails the start of a test service, and the description of documents', async () => {
    await expect(startTestService({ plugins: [broken] })).rejects.toThrow(/MissingType/);
    expect(() => describeSet({ plugins: [broken] })).toThrow(/MissingType/);
  });

  it('fails only the GraphQL requests of a service in production', async () => {
    const { store, dispose } = await openTestStore();
    const graphStore = ladybugGraphStore({ folder: 'unused' }); // Starts no process before its first use.
    const logged: string[] = [];
    const log = {
      debug: () => undefined,
      info: () => undefined,
      warn: () => undefined,
      error: (text: string) => void logged.push(text),
    };
    const auth = { jwtSecret: 'a secret that only tests know: 0123456789', issuer: 'test', audience: 'test' };
    const service = await assemble({ plugins: [broken], store, graphStore, auth, log });
    const server = createLimitedServer(createKoaApp(service).callback());
    try {
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as AddressInfo; // A listening TCP server has one.
      const client = new TestClient(`http://127.0.0.1:${port}`, {});
      for (const _time of [1, 2]) {
        const answer = await client.post('/extensions/kg1/graphql', { query: '{ __typename }' });
        expect(answer.status).toBe(500);
      }
      expect(logged).toHaveLength(2);
      expect((await client.get('/v1/status')).status).toBe(200);
    } finally {
      await new Promise((resolve) => server.close(resolve));
      await service.close();
      await graphStore.close();
      await dispose();
    }
  });
});
