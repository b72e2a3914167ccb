import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { startPostgresServer } from '@pacioli/store-postgres/testing';
import { TestClient } from '@pacioli/testing';
import type { Figure } from './measure.ts';

const streams = 5_000;
const openedAtOnce = 100;

/** S9: memory of idle event streams, compared with open bare Node responses, and the delivery time of an event. */
export async function eventStreams(): Promise<readonly Figure[]> {
  const database = await startPostgresServer();
  const [first, second] = [await startProcess(database.url), await startProcess(database.url)];
  try {
    const client = new TestClient(first.url, {});
    const person = { name: 'Bench', email: 'bench@example.org', password: 'Harbour-Lantern-42' };
    const { token } = (await client.post('/v1/auth/register', person)).body;
    const headers = { authorization: `Bearer ${token}` };
    const user = client.withHeaders(headers);
    const graph = await user.createGraph('Streams', ['bench']);
    const accepted = await user.post(`/extensions/bench/${graph}/operations/wait-for-answer`, {});
    const id = String(accepted.body.operationId);
    await user.follow(id);
    const path = `/v1/operations/${id}/stream?from_sequence=3`;
    const before = await first.resident();
    const here = await openMany(first.url, path, headers, streams);
    const ours = (await first.resident()) - before;
    const there = await openMany(second.url, path, headers, streams / 10);
    const bare = await bareResident();

    const started = performance.now();
    const told = [...here, ...there].map((socket) => hears(socket, 'operation_resumed'));
    await user.post(`/v1/operations/${id}/resume`, { input: {} });
    await Promise.all(told);
    const allMs = performance.now() - started;
    for (const socket of [...here, ...there]) socket.destroy();
    return [
      {
        name: 'streams, memory of one idle',
        unit: 'kB',
        kind: 'time',
        goal: '≤ 30 kB',
        ours: ours / streams / 1024,
        bare: bare / streams / 1024,
        note: `${streams} streams: ${Math.round(ours / 2 ** 20)} MB above the process without them`,
      },
      {
        name: 'streams, event to all watchers',
        unit: 'ms',
        kind: 'time',
        goal: '-',
        ours: allMs,
        bare: allMs,
        note: `${streams} watchers in the process that was told and ${streams / 10} in another`,
      },
    ];
  } finally {
    first.child.kill();
    second.child.kill();
    await database.stop();
  }
}

interface Running {
  readonly url: string;
  readonly child: ChildProcess;
  resident(): Promise<number>;
}

async function startProcess(database: string): Promise<Running> {
  const program = fileURLToPath(new URL('./stream-server.ts', import.meta.url));
  const child = fork(program, [database], {
    execArgv: ['--expose-gc', '--import', 'tsx', '--conditions=@pacioli/source'],
  });
  const [{ url }] = (await once(child, 'message')) as [{ url: string }];
  return {
    url,
    child,
    resident: async () => {
      child.send('how much?');
      const [{ residentBytes }] = (await once(child, 'message')) as [{ residentBytes: number }];
      return residentBytes;
    },
  };
}

/** Opens streams and waits for each first frame. */
async function openMany(
  url: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  count: number,
): Promise<Socket[]> {
  const { hostname, port } = new URL(url);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const open: Socket[] = [];
  while (open.length < count) {
    const batch = Array.from({ length: Math.min(openedAtOnce, count - open.length) }, async () => {
      const socket = connect(Number(port), hostname);
      socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\n${lines.join('')}\r\n`);
      await hears(socket, 'connected');
      return socket;
    });
    open.push(...(await Promise.all(batch)));
  }
  return open;
}

/** Resolves when a text has arrived, whatever precedes it. */
function hears(socket: Socket, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let tail = '';
    const listen = (chunk: Buffer): void => {
      tail = (tail + chunk.toString()).slice(-4_096);
      if (!tail.includes(text)) return;
      socket.off('data', listen);
      resolve();
    };
    socket.on('data', listen);
    socket.once('close', () => reject(new Error(`A stream was closed before it sent "${text}".`)));
  });
}

/** The same number of open responses of a bare Node server in this process, each written to once. */
async function bareResident(): Promise<number> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    response.write('event: connected\ndata: {}\n\n');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // A listening TCP server has one.
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  const open = await openMany(`http://127.0.0.1:${port}`, '/', {}, streams);
  globalThis.gc?.();
  const both = process.memoryUsage().rss - before;
  for (const socket of open) socket.destroy();
  server.closeAllConnections();
  server.close();
  return both / 2; // Both ends are in this process.
}
