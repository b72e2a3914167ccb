/**
 * Starts the program a dozen times, each in its own process.
 * @module-tag full-run
 */
import { once } from 'node:events';
import { access, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { embeddedStore, postgresStore } from '@pacioli/store-postgres';
import { startPostgresServer } from '@pacioli/store-postgres/testing';
import { TestClient, tamper } from '@pacioli/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { spawnPacioli, startStandalone } from './start-standalone.ts';

const undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

async function dataDir(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pacioli-audit-'));
  undo.push(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs the command with only the location of the store in its environment. */
async function audit(words: readonly string[], environment: Readonly<Record<string, string>>) {
  const child = spawnPacioli(['audit', ...words], environment);
  let [out, err] = ['', ''];
  child.stdout?.on('data', (chunk: Buffer) => {
    out += chunk.toString();
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    err += chunk.toString();
  });
  const [code] = await once(child, 'close');
  return { code: Number(code), out, err };
}

/** Runs a service and stops it; then the command reports an unaltered record until rows are tampered with. */
async function verifyAndTamper(environment: Readonly<Record<string, string>>): Promise<void> {
  const server = await startStandalone(environment);
  const person = { name: 'Ann', email: 'ann@example.org', password: 'Harbour-Lantern-42' };
  const anonymous = new TestClient(server.url, {});
  const { token } = (await anonymous.post('/v1/auth/register', person)).body;
  await anonymous.withHeaders({ authorization: `Bearer ${token}` }).createGraph('Books', ['roboledger']);
  expect(await server.stop()).toBe(0);
  const intact = await audit(['--verify'], environment);
  expect(intact).toMatchObject({ code: 0, err: '' });
  const end = 'It ends with row \\d+; the hash of that is [0-9a-f]{64}.\n';
  expect(intact.out).toMatch(
    new RegExp(`^The security audit is unaltered.\n${end}The operations audit is unaltered.\n${end}$`),
  );
  const lines = (await audit(['--of', 'operations'], environment)).out.trimEnd().split('\n');
  const rows = lines.map((line): Record<string, unknown> => JSON.parse(line));
  // The end of the run adds a second row instead of changing the first.
  expect(rows.map(({ operation, status, written }) => [operation, status, written])).toEqual([
    ['create-graph', 'pending', 1],
    ['create-graph', 'completed', 2],
  ]);
  const { DATABASE_URL: url, DATA_DIR: folder = '' } = environment;
  const store =
    url === undefined ? await embeddedStore({ folder: join(folder, 'store') }) : await postgresStore({ url });
  try {
    await tamper(store, "UPDATE kernel_operation_audit SET user_id = 'user_another' WHERE written = 2");
    await tamper(store, 'DELETE FROM kernel_security_audit WHERE written = 1');
  } finally {
    await store.close();
  }
  const broken = await audit(['--verify'], environment);
  expect(broken).toMatchObject({ code: 1, err: '' });
  expect(broken.out).toContain('The security audit was altered: row 1 (missing).\n');
  expect(broken.out).toMatch(/The operations audit was altered: row 2 op_\w+ \(changed\)\.\n/);
}

describe('pacioli audit', () => {
  it('verifies the records of an embedded store, and names altered rows (platform P-30)', {
    timeout: 300_000,
  }, async () => {
    await verifyAndTamper({ DATA_DIR: await dataDir() });
  });

  it('verifies the records of a PostgreSQL server, and names altered rows (platform P-30)', {
    timeout: 300_000,
  }, async () => {
    const database = await startPostgresServer();
    undo.push(() => database.stop());
    await verifyAndTamper({ DATA_DIR: await dataDir(), DATABASE_URL: database.url });
  });

  it('creates no store where none exists', { timeout: 300_000 }, async () => {
    const mistyped = join(await dataDir(), 'mistyped');
    const answer = await audit([], { DATA_DIR: mistyped });
    expect(answer).toMatchObject({ code: 1, err: expect.stringContaining('There is no store at') });
    await expect(access(mistyped)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
