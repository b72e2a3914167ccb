import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { type SearchServer, startSearchServer } from './search-server.ts';

/** Has the port at which the processes of a test run ask for the one server that they share. */
const controlVariable = 'PACIOLI_TEST_SEARCH_CONTROL';

export interface SharedSearchServer {
  stop(): Promise<void>;
}

/** Lets the processes that are started from here share a server, which starts when the first one asks for it. */
export async function shareSearchServer(): Promise<SharedSearchServer> {
  let starting: Promise<SearchServer> | undefined;
  const control = createServer((socket) => {
    socket.on('error', () => undefined); // The process that asked has ended.
    starting ??= startSearchServer();
    starting.then(
      ({ url }) => socket.end(`${url}\n`),
      (error: unknown) => socket.end(`failed ${error instanceof Error ? error.message : String(error)}\n`),
    );
  });
  control.listen(0, '127.0.0.1');
  await once(control, 'listening');
  const address = control.address();
  if (address === null || typeof address === 'string') throw new Error('The control port has no number.');
  process.env[controlVariable] = String(address.port);
  return {
    stop: async () => {
      delete process.env[controlVariable];
      control.close();
      // One that did not start has told so to those who asked.
      await starting?.then(
        (server) => server.stop(),
        () => undefined,
      );
    },
  };
}

/** The server of the test run, or one for the caller alone. Callers need a prefix of their own for their indexes. */
export async function useSearchServer(): Promise<SearchServer> {
  const port = process.env[controlVariable];
  if (port === undefined) return startSearchServer();
  const lines = createInterface({ input: connect(Number(port), '127.0.0.1') });
  const [line] = (await once(lines, 'line')) as [string];
  if (!line.startsWith('http')) throw new Error(`The search server of the test run did not start: ${line}`);
  return { url: line, stop: async () => undefined };
}
