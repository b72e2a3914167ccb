import { randomBytes } from 'node:crypto';
import type { Store } from '@pacioli/core/ports';
import pg from 'pg';
import { type PostgresServer, startPostgresServer } from '../postgres-server.ts';
import { postgresStore } from '../postgres-store.ts';
import { keyOfContent, type PreparedContent, writeContent } from './prepared-content.ts';
import type { StoreDriver } from './test-store.ts';

/** Advisory lock id, the same in every process: its holder creates template databases. */
const lockKey = 5_118_407_220_917;

/** Each store is a separate database on the server that the variable names, or else on the driver's own server. */
export function serverDriver(): StoreDriver {
  let own: Promise<PostgresServer> | undefined;
  const serverUrl = async (): Promise<string> => {
    const given = process.env['PACIOLI_TEST_SERVER_URL'];
    if (given !== undefined) return given;
    own ??= startPostgresServer({ isDurable: false });
    return (await own).url;
  };
  return {
    name: 'server',
    hasManySessions: true,
    async create(options = {}, content) {
      const database = await createDatabase(await serverUrl(), content);
      const open = (): Promise<Store> => postgresStore({ url: database.url, maxConnections: 8, ...options });
      const store = await open();
      return {
        store,
        openSecond: open,
        async dispose() {
          await store.close();
          await database.drop();
        },
      };
    },
    async stop() {
      await (await own)?.stop();
      own = undefined;
    },
  };
}

/** A database of a test, on a server. */
export interface TestDatabase {
  readonly url: string;
  /** Ends its sessions and removes it. */
  drop(): Promise<void>;
}

/**
 * Creates a database for the processes of a test: on the server of PACIOLI_TEST_SERVER_URL, else on one of its own. A
 * start on a server takes a third of the processor time of one on the embedded engine.
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  const given = process.env['PACIOLI_TEST_SERVER_URL'];
  if (given !== undefined) return createDatabase(given);
  const own = await startPostgresServer({ isDurable: false });
  return { url: (await createDatabase(own.url)).url, drop: () => own.stop() };
}

async function createDatabase(server: string, content?: PreparedContent): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await administer(server, async (client) => {
    const template = content === undefined ? 'template1' : await templateOf(client, server, content);
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${template}`);
  });
  return {
    url: urlOf(server, name),
    drop: async () => {
      await administer(server, (client) => client.query(`DROP DATABASE ${name} WITH (FORCE)`));
    },
  };
}

/** The template database with the content, created on first use. */
async function templateOf(client: pg.Client, url: string, content: PreparedContent): Promise<string> {
  const name = `prepared_${await keyOfContent(content)}`;
  const isRegistered = async (): Promise<boolean> =>
    (await client.query('SELECT FROM pg_database WHERE datname = $1', [name])).rowCount === 1;
  if (await isRegistered()) return name;
  // Test processes share the server; one of them creates the database while the others wait.
  await client.query('SELECT pg_advisory_lock($1)', [lockKey]);
  try {
    if (!(await isRegistered())) await makeTemplate(client, url, { name, content });
  } finally {
    await client.query('SELECT pg_advisory_unlock($1)', [lockKey]);
  }
  return name;
}

async function makeTemplate(
  client: pg.Client,
  url: string,
  { name, content }: { readonly name: string; readonly content: PreparedContent },
): Promise<void> {
  const draft = `draft_${randomBytes(8).toString('hex')}`;
  await client.query(`CREATE DATABASE ${draft}`);
  const store = await postgresStore({ url: urlOf(url, draft) });
  try {
    await writeContent(store, content);
  } finally {
    await store.close();
  }
  await client.query(`ALTER DATABASE ${draft} RENAME TO ${name}`);
}

function urlOf(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
}

async function administer(url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
