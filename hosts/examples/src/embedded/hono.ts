/** A Hono application on Node with books below /books. */
import type { AddressInfo } from 'node:net';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Service } from '@pacioli/core/assembly';
import { createKoaApp, createLimitedServer, stopServer } from '@pacioli/host-koa';
import { Hono } from 'hono';
import type { Application } from './books.ts';

export async function start(service: Service): Promise<Application> {
  const app = new Hono<{ Bindings: HttpBindings }>();
  const books = createKoaApp(service).callback();
  app.all(`${service.prefix}/*`, async (context) => {
    await books(context.env.incoming, context.env.outgoing);
    return RESPONSE_ALREADY_SENT;
  });
  app.post('/orders', async (context) => {
    const ordered = await context.req.json().catch(() => undefined);
    return context.json({ ordered }, ordered === undefined ? 400 : 200);
  });
  const server = createLimitedServer(getRequestListener(app.fetch));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // A listening TCP server has one.
  return { url: `http://127.0.0.1:${port}`, stop: () => stopServer(server, [service]) };
}
