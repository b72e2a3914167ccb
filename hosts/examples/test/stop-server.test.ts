/**
 * Goal: a server with a service in it stops without cutting anybody off. Method: a route that answers when the test
 * says so, an event stream and an idle connection are open when the server is stopped.
 */
import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { anything, definePlugin, defineRoute } from '@pacioli/core';
import { assemble, type Service } from '@pacioli/core/assembly';
import { createKoaApp, createLimitedServer, stopServer } from '@pacioli/host-koa';
import { openTestStore, TestClient } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** Lets the test decide when the route answers. */
function gate() {
  let open = (): void => undefined;
  let enter = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const entered = new Promise<void>((resolve) => {
    enter = resolve;
  });
  const wait = async (): Promise<void> => {
    enter();
    await opened;
  };
  return { entered, open, wait };
}

let opened: Awaited<ReturnType<typeof openTestStore>>;
beforeAll(async () => {
  opened = await openTestStore();
});
afterAll(() => opened.dispose());

async function start(wait: () => Promise<void>) {
  const slow = defineRoute({
    name: 'wait-for-gate',
    path: 'GET /v1/gate',
    summary: 'Answers when the test says so.',
    openapi: { id: 'wait_for_gate', tag: 'gate' },
    category: null,
    auth: [],
    answers: { 200: anything() },
    fails: [],
    handle: async () => {
      await wait();
      return { passed: true };
    },
  });
  let stops = 0;
  const gates = definePlugin({
    name: 'gates',
    title: 'Gates',
    version: '0.1.0',
    kernel: '^0.1.0',
    routes: [slow],
    stop: async () => {
      stops += 1;
    },
  });
  const auth = { jwtSecret: 'a secret that only tests know: 0123456789', issuer: 'test', audience: 'test' };
  const service: Service = await assemble({ plugins: [gates], store: opened.store, auth });
  const server: Server = createLimitedServer(createKoaApp(service).callback());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // A listening TCP server has one.
  return { server, service, port, stops: () => stops, client: new TestClient(`http://127.0.0.1:${port}`, {}) };
}

async function idleConnection(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.write('GET /v1/status HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(socket, 'data');
  return socket;
}

describe('stopServer', () => {
  it('lets running requests finish, ends streams and idle connections, and closes the service (platform H-10)', async () => {
    const { entered, open, wait } = gate();
    const host = await start(wait);
    const person = { name: 'Kim', email: 'kim@example.org', password: 'Harbour-Lantern-42' };
    const { token } = (await host.client.post('/v1/auth/register', person)).body;
    const user = host.client.withHeaders({ authorization: `Bearer ${token}` });
    const accepted = await user.post('/v1/graphs', {
      metadata: { graph_name: 'Waiting' },
      initial_entity: { name: 'W', uri: 'https://example.org/w' },
    });
    const slow = host.client.get('/v1/gate');
    await entered;
    const idle = await idleConnection(host.port);
    const closed = once(idle, 'close');

    let stopped: Promise<void> | undefined;
    const events: string[] = [];
    for await (const { event } of user.stream(`/v1/operations/${accepted.body.operationId}/stream`)) {
      events.push(event);
      stopped ??= stopServer(host.server, [host.service]);
    }
    expect(events.at(-1)).toBe('stream_end');
    await closed;
    await expect(host.client.get('/v1/status')).rejects.toThrow('fetch failed');
    expect(host.stops()).toBe(0);
    open();
    expect((await slow).body).toEqual({ passed: true });
    await stopped;
    expect(host.stops()).toBe(1);
  });

  it('cuts off a request that does not finish in time, and still closes the service (platform H-10)', async () => {
    const { entered, open, wait } = gate();
    const host = await start(wait);
    const slow = host.client.get('/v1/gate');
    const failed = expect(slow).rejects.toThrow('fetch failed');
    await entered;
    await stopServer(host.server, [host.service], { maxMs: 10 });
    await failed;
    expect(host.stops()).toBe(1);
    open();
  });

  it('closes every service although one fails to, and reports the failure (platform H-10)', async () => {
    const host = await start(gate().wait);
    const broken = { drain: () => Promise.resolve(), close: () => Promise.reject(new Error('It will not close.')) };
    await expect(stopServer(host.server, [broken, host.service])).rejects.toThrow('It will not close.');
    expect(host.stops()).toBe(1);
  });
});
