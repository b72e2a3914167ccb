import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Behavior = (response: ServerResponse, request: IncomingMessage) => void;

/** A cluster without documents, whose responses a test chooses. */
export class ClusterDouble {
  behavior: Behavior = (response) => answer(response, 404, { error: { type: 'index_not_found_exception' } });
  readonly received: string[] = [];
  /** Called with each request, before its answer. */
  onRequest: () => void = () => undefined;
  readonly #server = createServer((request, response) => {
    this.received.push(`${request.method} ${request.url?.split('?')[0]}`);
    request.resume().once('end', () => {
      this.onRequest();
      this.behavior(response, request);
    });
  });

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

export function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
