import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server that adds a credential to each request, for programs that cannot send one. */
export interface KeyProxy {
  readonly url: string;
  close(): void;
}

/** Passes every request on to `target` with its own method, host and headers, and with the API key. */
export async function startKeyProxy(target: string, key: string): Promise<KeyProxy> {
  const server: Server = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, 'x-api-key': key };
    // A connection of its own, because the service may close an idle one just when it is used again.
    const sent = request(target, { method: incoming.method, headers, agent: false }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    sent.once('error', () => outgoing.destroy());
    outgoing.once('close', () => sent.destroy());
    incoming.pipe(sent);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // A listening TCP server has one.
  return {
    url: `http://localhost:${port}/mcp`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
