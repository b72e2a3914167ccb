import { Agent, createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Plugin } from '@pacioli/core';
import type { Aliases } from '@pacioli/core/assembly';
import { postgresStore } from '@pacioli/store-postgres';
import { startPostgresServer } from '@pacioli/store-postgres/testing';
import { startTestService, type TestClient, type TestService } from '@pacioli/testing';
import type Koa from 'koa';
import pg from 'pg';

/** A service on its own PostgreSQL server, and a pool on the same server for the baseline. */
export interface BenchService {
  readonly service: TestService;
  readonly pool: pg.Pool;
  /** URL of the administrator of that server. */
  readonly databaseUrl: string;
  readonly user: TestClient;
  close(): Promise<void>;
}

export async function startBenchService(
  plugins: readonly Plugin[],
  aliases: Aliases = { ledger: ['roboledger'] },
): Promise<BenchService> {
  const server = await startPostgresServer();
  const store = await postgresStore({ url: server.url, maxConnections: 16 });
  const service = await startTestService({ plugins, store, aliases });
  const pool = new pg.Pool({ connectionString: server.url, max: 16 });
  return {
    service,
    pool,
    databaseUrl: server.url,
    user: await service.newUser('Bench'),
    close: async () => {
      await pool.end();
      await service.close();
      await store.close();
      await server.stop();
    },
  };
}

/** A response with its body. */
interface PostAnswer {
  readonly status: number;
  readonly text: string;
}

type Post<Result> = (url: string, body: string, more?: Readonly<Record<string, string>>) => Promise<Result>;

/** Posts JSON over persistent connections with minimal overhead; used to call both sides. */
export function poster(headers: Readonly<Record<string, string>>): Post<number> {
  return posting(headers, (response, done) => {
    response.resume();
    response.on('end', () => done(response.statusCode ?? 0));
  });
}

/** Like `poster`, for calls whose response is needed. */
export function answering(headers: Readonly<Record<string, string>>): Post<PostAnswer> {
  return posting(headers, (response, done) => {
    let text = '';
    response.setEncoding('utf8');
    response.on('data', (part: string) => {
      text += part;
    });
    response.on('end', () => done({ status: response.statusCode ?? 0, text }));
  });
}

function posting<Result>(
  headers: Readonly<Record<string, string>>,
  read: (response: IncomingMessage, done: (result: Result) => void) => void,
): Post<Result> {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  return (url, body, more = {}) =>
    new Promise((resolve, reject) => {
      const length = Buffer.byteLength(body);
      const call = request(
        url,
        {
          agent,
          method: 'POST',
          headers: { ...headers, ...more, 'content-type': 'application/json', 'content-length': length },
        },
        (response) => read(response, resolve),
      );
      call.on('error', reject);
      call.end(body);
    });
}

/** Throws on an error status, because a benchmark of rejected calls would be fast and meaningless. */
export async function ok(status: Promise<number>): Promise<void> {
  const got = await status;
  if (got >= 300) throw new Error(`The call returned status ${got}.`);
}

/** A bare Koa app on a free port. */
export async function listen(app: Koa): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = createServer(app.callback());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // A listening TCP server has one.
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
