/** A Fastify 5 application with books below /books. */
import type { Service } from '@pacioli/core/assembly';
import { createKoaApp, stopServer } from '@pacioli/host-koa';
import { fastify } from 'fastify';
import type { Application } from './books.ts';

export async function start(service: Service): Promise<Application> {
  const app = fastify();
  const answer = createKoaApp(service).callback();
  app.register(async (books) => {
    // Only in this scope: Pacioli reads its bodies itself.
    books.removeAllContentTypeParsers();
    books.addContentTypeParser('*', (_request, _payload, done) => done(null));
    books.all(`${service.prefix}/*`, async (request, reply) => {
      reply.hijack();
      await answer(request.raw, reply.raw);
    });
  });
  app.post('/orders', async (request) => ({ ordered: request.body }));
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  return {
    url,
    stop: async () => {
      await stopServer(app.server, [service]);
      await app.close();
    },
  };
}
