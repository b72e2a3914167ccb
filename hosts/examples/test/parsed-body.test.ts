/**
 * Goal: a service works behind a body parser of the application that embeds it. Method: parsers that leave the body
 * where Express, Koa and others leave it run in front of the listener of one service.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { anything, definePlugin, defineRoute } from '@pacioli/core';
import { maxBodyBytes, silentLog } from '@pacioli/core/assembly';
import { createKoaApp, createKoaMiddleware } from '@pacioli/host-koa';
import { startTestService, TestClient, type TestService } from '@pacioli/testing';
import Koa from 'koa';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

const parts = { category: null, auth: [], answers: { 200: anything() }, fails: [] } as const;
const echo = definePlugin({
  name: 'echo',
  title: 'Echo',
  version: '0.1.0',
  kernel: '^0.1.0',
  routes: [
    defineRoute({
      ...parts,
      name: 'echo-body',
      path: 'POST /v1/echo/body',
      summary: 'Returns the body as it was read.',
      openapi: { id: 'echo_body', tag: 'echo' },
      body: anything(),
      handle: async ({ body }) => body,
    }),
    defineRoute({
      ...parts,
      name: 'echo-raw',
      path: 'POST /v1/echo/raw',
      summary: 'Returns the bytes of the body, as the route of a signed message reads them.',
      openapi: { id: 'echo_raw', tag: 'echo' },
      rawBody: true,
      handle: async ({ ctx }) => ({ raw: ctx.rawBody }),
    }),
  ],
});

let service: TestService;
const servers: Server[] = [];
beforeAll(async () => {
  service = await startTestService({ plugins: [echo], worker: false, log: silentLog, settings: { prefix: '/books' } });
});
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});
afterAll(() => service.close());

async function listen(server: Server): Promise<TestClient> {
  servers.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // A listening TCP server has one.
  return new TestClient(`http://127.0.0.1:${port}/books`, {});
}

/** An application whose parser reads the body and leaves fields on the request of Node, as that of Express does. */
function behind(leave: (sent: string) => Readonly<Record<string, unknown>>): Promise<TestClient> {
  const listener = createKoaApp(service.service).callback();
  return listen(
    createServer(async (request: IncomingMessage, response) => {
      Object.assign(request, leave(await text(request)));
      await listener(request, response);
    }),
  );
}

const sent = '{ "name" : "Café", "amount": 12.50 }';
const value = { name: 'Café', amount: 12.5 };

describe('a body that was read before', () => {
  it.each([
    ['an object', (given: string) => ({ body: JSON.parse(given) })],
    ['a text', (given: string) => ({ body: given })],
    ['a buffer', (given: string) => ({ body: Buffer.from(given) })],
    ['an object with its bytes', (given: string) => ({ body: {}, rawBody: Buffer.from(given) })],
  ])('is used as %s (platform E-28)', async (_kind, leave) => {
    const client = await behind(leave);
    const answer = await client.post('/v1/echo/body', sent);
    expect([answer.status, answer.body]).toEqual([200, value]);
  });

  it('is read from the request of Koa as well, and other paths stay with the app (platform E-28)', async () => {
    const app = new Koa();
    app.use(async (context, next) => {
      Object.assign(context.request, { body: JSON.parse((await text(context.req)) || '{}') });
      await next();
    });
    app.use(createKoaMiddleware(service.service));
    app.use((context) => {
      context.body = { own: context.path };
    });
    const client = await listen(createServer(app.callback()));
    expect((await client.post('/v1/echo/body', sent)).body).toEqual(value);
    expect((await client.post('/v1/echo/none')).body.code).toBe('NOT_FOUND');
    for (const path of ['/own', '/booksellers'])
      expect(await (await fetch(new URL(path, client.url))).json()).toEqual({ own: path });
  });

  it('is ignored where the parser has not read the stream, as Express 4 leaves an empty object (platform E-28)', async () => {
    const listener = createKoaApp(service.service).callback();
    const client = await listen(
      createServer((request, response) => listener(Object.assign(request, { body: {} }), response)),
    );
    expect((await client.post('/v1/echo/body', sent)).body).toEqual(value);
  });

  it('keeps the rules of content types, of storable values and of exact numbers (platform E-6, E-28)', async () => {
    const client = await behind((given) => ({ body: JSON.parse(given) }));
    const plain = await client.post('/v1/echo/body', sent, { 'content-type': 'application/x-www-form-urlencoded' });
    expect([plain.status, plain.body.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
    expect((await client.post('/v1/echo/body', '{"name":"\\u0000"}')).status).toBe(422);
    expect((await client.post('/v1/echo/body', '{"exact":9007199254740991}')).body).toEqual({ exact: 2 ** 53 - 1 });
    const rounded = await client.post('/v1/echo/body', '{"cents":9007199254740993}');
    expect([rounded.status, rounded.body.detail[0].msg]).toEqual([422, expect.stringContaining('cents: A number')]);
  });

  it('keeps the limit of its size, also where the parser has a higher one (platform E-6, E-28)', async () => {
    const client = await behind((given) => ({ body: given }));
    const json = (length: number) => `"${'a'.repeat(length - 2)}"`;
    expect((await client.post('/v1/echo/body', json(maxBodyBytes))).status).toBe(200);
    expect((await client.post('/v1/echo/body', json(maxBodyBytes + 1))).status).toBe(413);
    const inflated = await behind(() => ({ body: json(maxBodyBytes + 1) }));
    expect((await inflated.post('/v1/echo/body', '{}')).status).toBe(413);
  });

  it('is exact for a signed message, or the answer says what to change (platform E-28)', async () => {
    const kept = await behind((given) => ({ body: JSON.parse(given), rawBody: Buffer.from(given) }));
    expect((await kept.post('/v1/echo/raw', sent)).body).toEqual({ raw: sent });
    for (const leave of [(given: string) => ({ body: JSON.parse(given) }), () => ({})]) {
      const refused = await (await behind(leave)).post('/v1/echo/raw', sent);
      expect([refused.status, refused.body.detail]).toEqual([500, expect.stringContaining('request.rawBody')]);
    }
  });
});
