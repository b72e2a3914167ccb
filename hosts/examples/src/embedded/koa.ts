/** A Koa application with books below /books. */
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { Service } from '@pacioli/core/assembly';
import { createKoaMiddleware, createLimitedServer, stopServer } from '@pacioli/host-koa';
import Koa from 'koa';
import type { Application } from './books.ts';

export async function start(service: Service): Promise<Application> {
  const app = new Koa();
  // Before the body parser of the application, so that Pacioli reads its bodies itself.
  app.use(createKoaMiddleware(service));
  app.use(async (context) => {
    if (context.path === '/orders') context.body = { ordered: await json(context.req).catch(() => context.throw(400)) };
  });
  const server = createLimitedServer(app.callback());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // A listening TCP server has one.
  return { url: `http://127.0.0.1:${port}`, stop: () => stopServer(server, [service]) };
}
