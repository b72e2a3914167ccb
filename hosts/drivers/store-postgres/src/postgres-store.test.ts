import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { boundKysely } from './bound-dialect.ts';
import { postgresStore } from './postgres-store.ts';
import { statementGate } from './statement-gate.ts';
import { StatementNames } from './statement-names.ts';
import { createSuiteTables, suiteTables, withMigrations } from './suite/tables.ts';
import { type PostgresServer, startPostgresServer } from './testing.ts';
import { OpenTransaction } from './transaction.ts';

describe('postgres-store', () => {
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

  it('requires migrations before the first transaction, and reports the database as reachable', async () => {
    const store = await postgresStore({ url: server.url });
    const attempt = store.transaction('kernel', (tx) => tx.query(sql`SELECT 1`));
    await expect(attempt).rejects.toMatchObject({ code: 'migration' });
    expect(await store.health()).toEqual({ reachable: true, driver: 'postgres' });
    await store.close();
  });

  it('reports a server that is lost before the last statement, and continues with another session', async () => {
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

  it('rejects every statement that was sent with a failed BEGIN, and commits none of them', async () => {
    const pool = new pg.Pool({ connectionString: server.url, pipeline: true });
    const client = await pool.connect();
    try {
      const tx = new OpenTransaction({
        scope: 'kernel',
        client,
        begin: 'SELECT 1 / 0; BEGIN',
        gate: statementGate(),
        names: new StatementNames(),
        compiler: boundKysely(() => expect.fail('This builder only compiles.')),
        pipelines: true,
      });
      const given = [1, 2, 3].map((number) => tx.query(sql`SELECT ${number}::integer AS number`));
      for (const answer of await Promise.allSettled(given)) {
        expect(answer).toMatchObject({ status: 'rejected', reason: { message: expect.stringContaining('by zero') } });
      }
      await expect(tx.query(sql`SELECT 4`)).rejects.toThrow('has ended');
      await expect(tx.commit()).rejects.toThrow('by zero');
    } finally {
      client.release();
      await pool.end();
    }
  });

  it('listens again after its session was terminated, and wakes listeners with an empty payload', async () => {
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

  it('recovers when the server has terminated its sessions', async () => {
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

  it('explains what to do when the server does not answer, or rejects the user or the URL', async () => {
    const closed = new URL(server.url);
    closed.port = '1';
    const absent = new URL(server.url);
    absent.pathname = '/absent';
    const cases = [
      [closed.href, /does not respond/],
      [withUser('postgres', 'wrong'), /refused the password/],
      [absent.href, /does not exist/],
      ['mysql://localhost/x', /must look like/],
    ] as const;
    for (const [url, message] of cases) {
      const attempt = postgresStore({ url });
      await expect(attempt).rejects.toMatchObject({ code: 'unreachable', message: expect.stringMatching(message) });
    }
  });

  it('explains what to do when the user may not create the role', async () => {
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

  it('works for an owner without privileges once an administrator has created the role', async () => {
    await asAdministrator(`CREATE ROLE owner LOGIN PASSWORD 'owner'`);
    const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
    const [, create = '', grant = ''] = /```sql\n(CREATE ROLE .*)\n(GRANT .*)\n```/.exec(readme) ?? [];
    // The other tests of this server have the role already.
    await asAdministrator(create.replace('pacioli_app', 'printed_role'));
    await asAdministrator(grant.replace('the_user_of_the_url', 'owner'));
    const traits = 'SELECT rolcanlogin, rolsuper, rolbypassrls FROM pg_roles';
    const [printed] = await asAdministrator(`${traits} WHERE rolname = 'printed_role'`);
    expect(printed).toEqual((await asAdministrator(`${traits} WHERE rolname = 'pacioli_app'`))[0]);
    await asAdministrator('CREATE DATABASE owned OWNER owner');
    const url = new URL(withUser('owner', 'owner'));
    url.pathname = '/owned';
    const store = await postgresStore({ url: url.href });
    await createSuiteTables(store);
    const insert = sql`INSERT INTO suite_row (graph_id, id) VALUES ('kg1', 1)`;
    await store.transaction({ graphId: 'kg1' }, (tx) => tx.query(insert));
    // Even the owner of the table sees no row without a scope: row-level security is forced.
    expect(await asAdministrator('SELECT id FROM suite_row', url.href)).toEqual([]);
    await withMigrations('suite', {}, async (set) => {
      const remove = () => store.removeGraph('kg1', [{ ...set, ...suiteTables }], new AbortController().signal);
      await expect(remove()).rejects.toMatchObject({
        code: 'migration',
        message: expect.stringMatching(/GRANT SET ON/),
      });
      const [, grantSet = ''] = /```sql\n(GRANT SET .*)\n```/.exec(readme) ?? [];
      await asAdministrator(grantSet.replace('the_user_of_the_url', 'owner'));
      expect(await remove()).toBe(1);
    });
    await store.close();
  });

  it('checks tables and migrations as an owner without privileges', async () => {
    await asAdministrator(`CREATE ROLE tenant LOGIN PASSWORD 'tenant'; GRANT pacioli_app TO tenant`);
    await asAdministrator('CREATE DATABASE managed OWNER tenant');
    const url = new URL(withUser('tenant', 'tenant'));
    url.pathname = '/managed';
    const store = await postgresStore({ url: url.href });
    await createSuiteTables(store);
    const migrate = (text: string) =>
      withMigrations('diary', { '0001-diary.sql': text }, (set) => store.migrate([set]));
    const leak = migrate('CREATE TABLE diary_page (graph_id text NOT NULL PRIMARY KEY);');
    await expect(leak).rejects.toThrow('ALTER TABLE diary_page ENABLE ROW LEVEL SECURITY;');
    await expect(migrate('SELECT * FROM suite_row;')).rejects.toThrow('it reads suite_row, which belongs to suite.');
    await expect(migrate('SET ROLE pacioli_app;')).rejects.toThrow('it leaves the role pacioli_app behind');
    await expect(migrate('DROP TABLE suite_row;')).rejects.toThrow('it drops suite_row, which belongs to suite.');
    await store.close();
  });

  it('ignores tables of other programs in its schema, unless the application role may use them', async () => {
    await asAdministrator('CREATE DATABASE shared');
    const url = new URL(server.url);
    url.pathname = '/shared';
    await asAdministrator('CREATE TABLE customers (id integer); INSERT INTO customers VALUES (1)', url.href);
    const store = await postgresStore({ url: url.href });
    await createSuiteTables(store);
    const read = store.transaction('kernel', (tx) => tx.query(sql`SELECT id FROM customers`));
    await expect(read).rejects.toMatchObject({ code: '42501' });
    await asAdministrator('GRANT SELECT ON customers TO pacioli_app', url.href);
    await expect(createSuiteTables(store)).rejects.toThrow('or REVOKE ALL ON customers FROM pacioli_app;');
    await asAdministrator('REVOKE ALL ON customers FROM pacioli_app', url.href);
    await createSuiteTables(store);
    await store.close();
  });

  it('revokes grants of earlier versions on tables of other programs, and their default privileges', async () => {
    await asAdministrator('CREATE DATABASE granted');
    const url = new URL(server.url);
    url.pathname = '/granted';
    await asAdministrator(
      `CREATE TABLE invoices (id integer); CREATE SEQUENCE numbers;
        GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO pacioli_app;
        GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO pacioli_app;
        ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT ON TABLES TO pacioli_app`,
      url.href,
    );
    const store = await postgresStore({ url: url.href });
    await createSuiteTables(store);
    await asAdministrator('CREATE TABLE later (id integer)', url.href);
    const [held] = await asAdministrator(
      `SELECT has_table_privilege('pacioli_app', 'invoices', 'SELECT') AS invoices, has_sequence_privilege('pacioli_app', 'numbers', 'USAGE') AS numbers,
        has_table_privilege('pacioli_app', 'later', 'SELECT') AS later`,
      url.href,
    );
    expect(held).toEqual({ invoices: false, numbers: false, later: false });
    expect(await store.transaction({ graphId: 'kg1' }, (tx) => tx.query(sql`SELECT id FROM suite_row`))).toEqual([]);
    await store.close();
  });

  it('rejects an application role that is a member of a role that may bypass row-level security', async () => {
    await asAdministrator('CREATE ROLE passing BYPASSRLS; GRANT passing TO pacioli_app');
    const store = await postgresStore({ url: server.url });
    try {
      await expect(createSuiteTables(store)).rejects.toThrow('through a role that it is a member of');
    } finally {
      await asAdministrator('REVOKE passing FROM pacioli_app');
      await store.close();
    }
  });

  it('rejects an application role that may bypass row-level security', async () => {
    await asAdministrator('ALTER ROLE pacioli_app BYPASSRLS');
    const store = await postgresStore({ url: server.url });
    try {
      await expect(store.migrate([])).rejects.toThrow('tenants would not be separate');
    } finally {
      await asAdministrator('ALTER ROLE pacioli_app NOBYPASSRLS');
      await store.close();
    }
  });

  it('asks to retry when a migration changed the columns of a prepared statement, and then succeeds', async () => {
    const store = await postgresStore({ url: server.url, maxConnections: 1 });
    await createSuiteTables(store);
    const read = (): Promise<readonly unknown[]> =>
      store.transaction('kernel', (tx) => tx.query(sql`SELECT * FROM suite_secret`));
    for (let use = 1; use <= 4; use += 1) expect(await read()).toEqual([{ id: 1 }]);
    await asAdministrator('ALTER TABLE suite_secret ADD COLUMN note text');
    await expect(read()).rejects.toMatchObject({ code: 'serialization' });
    expect(await read()).toEqual([{ id: 1, note: null }]);
    await store.close();
  });

  it('reports that no connection became free when all are in use', async () => {
    const store = await postgresStore({ url: server.url, maxConnections: 1, maxConnectionWaitMs: 50 });
    // The limit covers opening a connection too, which may take longer on a busy machine, so the pool opens one first.
    await vi.waitFor(() => store.transaction('kernel', (tx) => tx.query(sql`SELECT 1`)), 300_000);
    const attempt = store.transaction('kernel', () => store.transaction('kernel', async () => undefined));
    await expect(attempt).rejects.toThrow('never open one inside another');
    await store.close();
  });
});
