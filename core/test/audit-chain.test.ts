/** @module-tag sessions */
import { fixedClock, startTestService, type TestClient, type TestService, tamper } from '@pacioli/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditChains } from '../src/audit/audit-tables.ts';
import sealAudit from '../src/jobs/seal-audit.ts';
import { notesPlugin } from './notes-plugin.ts';

const clock = fixedClock('2026-03-02T09:00:00Z');
let service: TestService;
let user: TestClient;
beforeAll(async () => {
  service = await startTestService({ plugins: [notesPlugin], clock, worker: false });
  // Postpones the scheduled jobs, which would seal rows that a test has just changed.
  await service.store.transaction('kernel', (tx) =>
    tx.query(
      sql`INSERT INTO kernel_schedule (job, next_at) VALUES ('seal-audit', '2099-01-01'), ('remove-expired', '2099-01-01')`,
    ),
  );
  await service.service.startWorker();
  user = await service.newUser();
  const graph = await user.createGraph('Notes', ['notes']);
  for (const text of ['one', 'two', 'three', 'four', 'five']) {
    await user.post('/v1/auth/login', { email: 'nobody@example.org', password: text });
    expect((await user.post(`/extensions/notes/${graph}/operations/add-note`, { text })).status).toBe(200);
  }
});
afterAll(() => service.close());

const kinds = ['security', 'operations'] as const;
type Kind = (typeof kinds)[number];
const tables = { security: 'kernel_security_audit', operations: 'kernel_operation_audit' } as const;

async function sealed(kind: Kind): Promise<readonly string[]> {
  return service.store.transaction('kernel', async (tx) => {
    while ((await auditChains[kind].seal(tx)) > 0);
    return auditChains[kind].broken(tx, 20);
  });
}

/** Runs a statement, returns the result of a verification, and restores the rows. */
async function brokenAfter(kind: Kind, statement: string): Promise<readonly string[]> {
  const table = tables[kind];
  await tamper(
    service.store,
    `CREATE TABLE kept AS SELECT * FROM ${table}; CREATE TABLE kept_chain AS SELECT * FROM kernel_chain;
    ${statement.replaceAll('$table', table)}`,
  );
  const broken = await sealed(kind);
  await tamper(
    service.store,
    `DELETE FROM ${table}; INSERT INTO ${table} OVERRIDING SYSTEM VALUE SELECT * FROM kept; DROP TABLE kept;
    DELETE FROM kernel_chain; INSERT INTO kernel_chain SELECT * FROM kept_chain; DROP TABLE kept_chain`,
  );
  expect(await sealed(kind)).toEqual([]);
  return broken;
}

const lastOf = async (kind: Kind): Promise<number> => {
  const head = await service.store.transaction('kernel', (tx) => auditChains[kind].head(tx));
  return head?.seq ?? 0;
};

describe.each(kinds)('the %s audit', (kind) => {
  beforeAll(async () => {
    expect(await sealed(kind)).toEqual([]);
    expect(await lastOf(kind)).toBeGreaterThan(4);
  });

  it('reports a row that was changed with SQL (platform P-30)', async () => {
    const broken = await brokenAfter(kind, "UPDATE $table SET user_id = 'user_another' WHERE seq = 2");
    expect(broken).toEqual([expect.stringMatching(/^row 2 \w+ \(changed\)$/)]);
  });

  it('reports rows that were deleted from its middle (platform P-30)', async () => {
    expect(await brokenAfter(kind, 'DELETE FROM $table WHERE seq IN (2, 3)')).toEqual(['rows 2 to 3 (missing)']);
  });

  it('reports rows that were deleted from its start or end (platform P-30)', async () => {
    const last = await lastOf(kind);
    expect(await brokenAfter(kind, 'DELETE FROM $table WHERE seq = 1')).toEqual(['row 1 (missing)']);
    const cut = `rows ${last - 1} to ${last} (missing)`;
    expect(await brokenAfter(kind, `DELETE FROM $table WHERE seq > ${last - 2}`)).toEqual([cut]);
    expect(await brokenAfter(kind, 'DELETE FROM $table')).toEqual([`rows 1 to ${last} (missing)`]);
  });

  it('reports a row that was inserted with a forged seal (platform P-30)', async () => {
    const last = await lastOf(kind);
    const id = kind === 'security' ? 'id' : 'operation_id';
    const forged = `'{"${id}": "forged", "seq": ${last + 1}, "written": 100000, "hash": "\\\\x00", "prev_hash": "\\\\x00"}'`;
    const statement = `INSERT INTO $table OVERRIDING SYSTEM VALUE SELECT (jsonb_populate_record(t, ${forged})).* FROM $table AS t WHERE seq = 2`;
    expect(await brokenAfter(kind, statement)).toEqual([`row ${last + 1} forged (changed)`]);
  });

  it('reports rows that were swapped (platform P-30)', async () => {
    const broken = await brokenAfter(
      kind,
      'UPDATE $table SET seq = 200 - seq WHERE seq IN (2, 3); UPDATE $table SET seq = seq - 195 WHERE seq > 190',
    );
    expect(broken).toEqual([
      expect.stringMatching(/^row 2 \w+ \(changed\)$/),
      expect.stringMatching(/^row 3 \w+ \(changed\)$/),
      expect.stringMatching(/^row 4 \w+ \(does not follow the previous row\)$/),
    ]);
  });

  it('is sealed by a job, and rejects inserted rows with a seal (platform P-30)', async () => {
    const before = await lastOf(kind);
    await user.post('/v1/auth/login', { email: 'nobody@example.org', password: 'again' });
    await user.createGraph('More notes', ['notes']);
    const quiet = () => undefined;
    const log = { debug: quiet, info: quiet, warn: quiet, error: quiet };
    const ctx = { store: service.store, signal: new AbortController().signal, log, now: () => clock.now() };
    await sealAudit.handle({ ctx, use: {} });
    expect(await lastOf(kind)).toBeGreaterThan(before);
    const own = sql`INSERT INTO ${sql.table(tables[kind])} OVERRIDING SYSTEM VALUE
      SELECT (jsonb_populate_record(a, '{"seq": 1000000}')).*
      FROM ${sql.table(tables[kind])} AS a LIMIT 1`;
    const refusal = await service.store.transaction('kernel', (tx) => tx.query(own)).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 'check', constraint: `${tables[kind]}_append_only` });
  });
});

describe('the retention of audits', () => {
  it('removes only the oldest rows, reports them, and leaves a valid chain (platform P-30)', async () => {
    const chain = auditChains.security;
    const old = `UPDATE kernel_security_audit SET at = '2020-01-01' WHERE seq < 4; UPDATE kernel_security_audit SET seq = NULL,
      hash = NULL, prev_hash = NULL; DELETE FROM kernel_chain`;
    await tamper(service.store, old);
    expect(await sealed('security')).toEqual([]);
    const expire = (before: string) =>
      service.store.transaction('kernel', (tx) => chain.expire(tx, new Date(before), 5_000));
    expect(await expire('2019-01-01')).toBe(0);
    expect(await expire('2021-01-01')).toBe(3);
    expect(await sealed('security')).toEqual([]);
    const gone = await service.store.transaction('kernel', (tx) => chain.expired(tx));
    expect(gone).toEqual({ seq: 3, until: new Date('2020-01-01') });
    expect(await brokenAfter('security', 'DELETE FROM $table WHERE seq = 4')).toEqual(['row 4 (missing)']);
  });
});

describe('kernel_seal_chain and kernel_expire_audit', () => {
  const asGraph = { graphId: 'kg1' };
  const seal = (table: string, graph: string | null) =>
    sql`SELECT kernel_seal_chain(${table}::text::regclass, ${graph}::text, 10)`;
  const expire = (table: string) => sql`SELECT kernel_expire_audit(${table}::text::regclass, now(), 10)`;

  it.each([
    ['an audit from the scope of a graph', asGraph, seal('kernel_operation_audit', null)],
    ['a graph of an audit', asGraph, seal('kernel_operation_audit', 'kg1')],
    ['another graph', asGraph, seal('kernel_operation_event', 'kg2')],
    ['a table of graphs as a whole', 'kernel', seal('kernel_operation_event', null)],
    ['rows of an audit from the scope of a graph', asGraph, expire('kernel_operation_audit')],
    ['rows of a table that is not an audit', 'kernel', expire('kernel_operation_event')],
  ] as const)('refuse %s (platform P-30)', async (_, scope, statement) => {
    const attempt = service.store.transaction(scope, (tx) => tx.query(statement));
    await expect(attempt).rejects.toThrow('is not one of this scope');
  });

  it('refuse a temporary table with the name of an audit (platform P-30)', async () => {
    const attempt = service.store.transaction('kernel', async (tx) => {
      await tx.query(
        sql`SELECT 9 AS seq, ''::bytea AS hash, now() - interval '9 years' AS at INTO TEMP kernel_security_audit`,
      );
      await tx.query(expire('kernel_security_audit'));
    });
    await expect(attempt).rejects.toThrow('is not one of this scope');
  });
});
