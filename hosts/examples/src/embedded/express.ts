/** An Express 5 application with books below /books. */
import type { AddressInfo } from 'node:net';
import type { Service } from '@pacioli/core/assembly';
import { createKoaApp, createLimitedServer, stopServer } from '@pacioli/host-koa';
import express from 'express';
import type { Application } from './books.ts';

export async function start(service: Service): Promise<Application> {
  const app = express();
  // Before the body parser of the application, so that Pacioli reads its bodies itself.
  app.use(service.prefix, createKoaApp(service).callback());
  app.use(express.json());
  app.post('/orders', (request, response) => {
    response.json({ ordered: request.body });
  });
  const server = createLimitedServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // A listening TCP server has one.
  return { url: `http://127.0.0.1:${port}`, stop: () => stopServer(server, [service]) };
}
