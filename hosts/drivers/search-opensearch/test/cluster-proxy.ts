import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { answer } from './cluster-double.ts';

/** Forwards requests to a real cluster, except those that a test lets fail. */
export class ClusterProxy {
  /** Called with the path of each request before it is forwarded; a request fails unless this returns true. */
  forwards: (path: string) => boolean = () => true;
  readonly #server;

  constructor(target: string) {
    this.#server = createServer((request, response) => {
      const { method = 'GET', url = '/', headers } = request;
      const forward = async (): Promise<void> => {
        const body = await buffer(request);
        if (!this.forwards(url)) return answer(response, 500, { error: { type: 'test_exception' }, status: 500 });
        const type = headers['content-type'] ?? 'application/json';
        const forwarded = await fetch(`${target}${url}`, {
          method,
          headers: { 'content-type': type },
          ...(body.length === 0 ? {} : { body }),
        });
        response.writeHead(forwarded.status, { 'content-type': 'application/json' });
        response.end(await forwarded.text());
      };
      forward().catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
    });
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    const { port } = this.#server.address() as AddressInfo; // A listening TCP server has one.
    return `http://127.0.0.1:${port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
