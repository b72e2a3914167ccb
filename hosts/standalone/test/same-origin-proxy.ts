import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server at http://localhost whose origin is known before the service behind it starts, as passkeys require. */
export interface SameOriginProxy {
  readonly origin: string;
  /** The address of the service. */
  target: string;
  close(): void;
}

export async function startSameOriginProxy(): Promise<SameOriginProxy> {
  const server: Server = createServer((incoming, outgoing) => {
    const { method, headers, url } = incoming;
    // A connection of its own, because the service may close an idle one just when it is used again.
    const sent = request(`${proxy.target}${url}`, { method, headers, agent: false }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    sent.once('error', () => outgoing.destroy());
    incoming.pipe(sent);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const proxy: SameOriginProxy = {
    origin: `http://localhost:${(server.address() as AddressInfo).port}`, // A listening TCP server has one.
    target: '',
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return proxy;
}
