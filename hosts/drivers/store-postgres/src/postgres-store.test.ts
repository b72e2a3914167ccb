import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postgresStore } from './postgres-store.ts';
import { createSuiteTables } from './suite/tables.ts';
import { type PostgresServer, startPostgresServer } from './testing.ts';

describe('store on a PostgreSQL server', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgresServer();
  });
  afterAll(() => server?.stop());

  const asAdministrator = async <Row extends pg.QueryResultRow>(text: string, url = server.url): Promise<Row[]> => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query<Row>(text)).rows;
    } finally {
      await client.end();
    }
  };
  const withUser = (user: string, password: string): string => {
    const url = new URL(server.url);
    url.username = user;
    url.password = password;
    return url.href;
  };

  it('asks for migrations before the first transaction, and reports the database as reachable', async () => {
    const store = await postgresStore({ url: server.url });
    const attempt = store.transaction('kernel', (tx) => tx.query(sql`SELECT 1`));
    await expect(attempt).rejects.toMatchObject({ code: 'migration' });
    expect(await store.health()).toEqual({ reachable: true, driver: 'postgres' });
    await store.close();
  });

  it('says that the server is gone when it goes before the last statement, and goes on with another session', async () => {
    const store = await postgresStore({ url: server.url });
    await createSuiteTables(store);
    const attempt = store.transaction({ graphId: 'kg1' }, async (tx) => {
      const [session] = await tx.query(sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`);
      await asAdministrator(`SELECT pg_terminate_backend(${session?.pid}, 5000)`);
      tx.queryAtEnd(sql`INSERT INTO suite_row (graph_id, id) VALUES ('kg1', 1)`);
    });
    await expect(attempt).rejects.toMatchObject({ code: 'unreachable' });
    expect(await store.transaction({ graphId: 'kg1' }, (tx) => tx.query(sql`SELECT id FROM suite_row`))).toEqual([]);
    await store.close();
  });

  it('listens again by itself after its session was ended, and wakes with an empty payload', async () => {
    const store = await postgresStore({ url: server.url });
    await createSuiteTables(store);
    const woken: string[] = [];
    let next: () => void = () => undefined;
    const wake = (): Promise<void> =>
      new Promise((resolve) => {
        next = resolve;
      });
    let waiting = wake();
    await store.listen('reconnect', (payload) => {
      woken.push(payload);
      next();
    });
    await asAdministrator(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'`);
    await waiting;
    waiting = wake();
    await store.notify('reconnect', 'hello');
    await waiting;
    expect(woken).toEqual(['', 'hello']);
    await store.close();
  });

  it('goes on when the server ended its sessions', async () => {
    const store = await postgresStore({ url: server.url });
    await createSuiteTables(store);
    const broken = store.transaction('kernel', async (tx) => {
      const [row] = await tx.query<{ pid: number }>(sql`SELECT pg_backend_pid() AS pid`);
      await asAdministrator(`SELECT pg_terminate_backend(${row?.pid})`);
      return tx.query(sql`SELECT 1`);
    });
    await expect(broken).rejects.toMatchObject({ code: 'unreachable' });
    expect(await store.transaction('kernel', (tx) => tx.query(sql`SELECT 1 AS one`))).toEqual([{ one: 1 }]);
    await store.close();
  });

  it('says what to do when the server does not answer, or refuses the user or the URL', async () => {
    const closed = new URL(server.url);
    closed.port = '1';
    const absent = new URL(server.url);
    absent.pathname = '/absent';
    const cases = [
      [closed.href, /does not answer/],
      [withUser('postgres', 'wrong'), /refused the password/],
      [absent.href, /does not exist/],
      ['mysql://localhost/x', /must look like/],
    ] as const;
    for (const [url, message] of cases) {
      const attempt = postgresStore({ url });
      await expect(attempt).rejects.toMatchObject({ code: 'unreachable', message: expect.stringMatching(message) });
    }
  });

  it('says what to do when the user may not create the role', async () => {
    await asAdministrator(`CREATE DATABASE plain_database`);
    await asAdministrator(`CREATE ROLE plain LOGIN PASSWORD 'plain'; GRANT ALL ON DATABASE plain_database TO plain`);
    const url = new URL(withUser('plain', 'plain'));
    url.pathname = '/plain_database';
    const store = await postgresStore({ url: url.href });
    await expect(store.migrate([])).rejects.toMatchObject({
      code: 'migration',
      message: expect.stringMatching(/As an administrator run once/),
    });
    await store.close();
  });

  it('works for an owner without privileges once an administrator made the role', async () => {
    await asAdministrator(`CREATE ROLE owner LOGIN PASSWORD 'owner'; GRANT pacioli_app TO owner`);
    await asAdministrator('CREATE DATABASE owned OWNER owner');
    const url = new URL(withUser('owner', 'owner'));
    url.pathname = '/owned';
    const store = await postgresStore({ url: url.href });
    await createSuiteTables(store);
    const insert = sql`INSERT INTO suite_row (graph_id, id) VALUES ('kg1', 1)`;
    await store.transaction({ graphId: 'kg1' }, (tx) => tx.query(insert));
    // Even the owner of the table sees no row without a scope: row-level security is forced.
    expect(await asAdministrator('SELECT id FROM suite_row', url.href)).toEqual([]);
    await store.close();
  });

  it('refuses a role that may pass row-level security', async () => {
    await asAdministrator('ALTER ROLE pacioli_app BYPASSRLS');
    const store = await postgresStore({ url: server.url });
    try {
      await expect(store.migrate([])).rejects.toThrow('tenants would not be separate');
    } finally {
      await asAdministrator('ALTER ROLE pacioli_app NOBYPASSRLS');
      await store.close();
    }
  });

  it('asks to run again when a migration changed the columns of a prepared statement, and then succeeds', async () => {
    const store = await postgresStore({ url: server.url, connections_max: 1 });
    await createSuiteTables(store);
    const read = (): Promise<readonly unknown[]> =>
      store.transaction('kernel', (tx) => tx.query(sql`SELECT * FROM suite_secret`));
    for (let use = 1; use <= 4; use += 1) expect(await read()).toEqual([{ id: 1 }]);
    await asAdministrator('ALTER TABLE suite_secret ADD COLUMN note text');
    await expect(read()).rejects.toMatchObject({ code: 'serialization' });
    expect(await read()).toEqual([{ id: 1, note: null }]);
    await store.close();
  });

  it('says that no connection became free when all are taken', async () => {
    const store = await postgresStore({ url: server.url, connections_max: 1, connection_wait_ms_max: 50 });
    const attempt = store.transaction('kernel', () => store.transaction('kernel', async () => undefined));
    await expect(attempt).rejects.toThrow('never open one inside another');
    await store.close();
  });
});
