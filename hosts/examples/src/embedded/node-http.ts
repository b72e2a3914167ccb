/** A server of Node without a framework, with books below /books. */
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { Service } from '@pacioli/core/assembly';
import { createKoaApp, createLimitedServer, stopServer } from '@pacioli/host-koa';
import type { Application } from './books.ts';

export async function start(service: Service): Promise<Application> {
  const books = createKoaApp(service).callback();
  const server = createLimitedServer(async (request, response) => {
    if (request.url?.startsWith(`${service.prefix}/`)) {
      await books(request, response);
      return;
    }
    const ordered = await json(request).catch(() => undefined);
    response.writeHead(ordered === undefined ? 400 : 200, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify({ ordered }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // A listening TCP server has one.
  return { url: `http://127.0.0.1:${port}`, stop: () => stopServer(server, [service]) };
}
