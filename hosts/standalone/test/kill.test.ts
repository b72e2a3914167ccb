/**
 * Kills whole processes and starts them again.
 * @module-tag full-run
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgresServer } from '@pacioli/store-postgres/testing';
import { TestClient } from '@pacioli/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { type Standalone, startStandalone } from './start-standalone.ts';

const kills = 4;
const callers = 8;
/** The server is killed after this many acknowledged writes of a round, independently of any clock. */
const writesBeforeKill = 25;

const undo: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

async function dataDir(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pacioli-kill-'));
  undo.push(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/**
 * Goal: every acknowledged write exists exactly once after any number of kill -9. Method: callers post until the server
 * is killed; the next one starts on the same data.
 */
async function killWhilePosting(environment: Readonly<Record<string, string>>): Promise<void> {
  let server = await start(environment);
  const registered = await new TestClient(server.url, {}).post('/v1/auth/register', {
    name: 'Kim',
    email: 'kim@example.org',
    password: 'Harbour-Lantern-42',
  });
  const bearer = { authorization: `Bearer ${registered.body.token}` };
  const key = await new TestClient(server.url, bearer).post('/v1/user/api-keys', { name: 'kill test' });
  const headers = { 'x-api-key': key.body.key };
  const setUp = new TestClient(server.url, headers);
  const graph = await setUp.createGraph('Killed', ['ledger']);
  await setUp.post(`/extensions/ledger/${graph}/operations/initialize-chart-of-accounts`, { template: 'services' });
  const accounts = await setUp.graphql(graph, '{ accounts(limit: 100) { accounts { id code } } }');
  const idOf = (code: string): string =>
    accounts.body.data.accounts.accounts.find((account: { code: string }) => account.code === code).id;
  const acknowledged = new Set<string>();
  const attempted = new Set<string>();
  let next = 0;

  for (let round = 0; round < kills; round += 1) {
    const client = new TestClient(server.url, headers);
    let inRound = 0;
    let isDown = false;
    const caller = async (): Promise<void> => {
      while (!isDown) {
        next += 1;
        const id = `k-${next}`;
        attempted.add(id);
        const answer = await client
          .post(
            `/extensions/ledger/${graph}/operations/create-event-block`,
            event(id, next, idOf('1000'), idOf('4000')),
            { 'idempotency-key': id },
          )
          .catch(() => undefined);
        if (answer === undefined) return;
        if (answer.status !== 200) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
        acknowledged.add(id);
        inRound += 1;
        if (inRound === writesBeforeKill) {
          isDown = true;
          await server.kill();
        }
      }
    };
    await Promise.all(Array.from({ length: callers }, caller));
    server = await start(environment);
  }

  const client = new TestClient(server.url, headers);
  const stored = new Set<string>();
  for (let offset = 0; ; offset += 1000) {
    const page = await client.graphql(graph, `{ eventBlocks(limit: 1000, offset: ${offset}) { externalId amount } }`);
    for (const block of page.body.data.eventBlocks) {
      expect(stored.has(block.externalId)).toBe(false);
      stored.add(block.externalId);
    }
    if (page.body.data.eventBlocks.length < 1000) break;
  }
  expect([...acknowledged].filter((id) => !stored.has(id))).toEqual([]);
  expect([...stored].filter((id) => !attempted.has(id))).toEqual([]);
  expect(acknowledged.size).toBeGreaterThanOrEqual(kills * writesBeforeKill);
  const cents = [...stored].reduce((sum, id) => sum + Number(id.slice(2)), 0);
  const balance = await client.graphql(
    graph,
    '{ trialBalance { totalDebits totalCredits } summary { transactionCount entryCount lineItemCount } }',
  );
  expect(balance.body.data.trialBalance).toEqual({ totalDebits: cents / 100, totalCredits: cents / 100 });
  expect(balance.body.data.summary).toEqual({
    transactionCount: stored.size,
    entryCount: stored.size,
    lineItemCount: stored.size * 2,
  });
  // A repeated request returns the result of the first one.
  const [first = ''] = acknowledged;
  const again = await client.post(
    `/extensions/ledger/${graph}/operations/create-event-block`,
    event(first, Number(first.slice(2)), idOf('1000'), idOf('4000')),
    { 'idempotency-key': first },
  );
  expect(again.body.idempotentReplay).toBe(true);
}

async function start(environment: Readonly<Record<string, string>>): Promise<Standalone> {
  const server = await startStandalone(environment);
  undo.push(async () => {
    if (server.child.exitCode === null && server.child.signalCode === null) await server.kill();
  });
  return server;
}

function event(id: string, cents: number, debit: string, credit: string): object {
  return {
    event_type: 'journal_entry_recorded',
    event_category: 'adjustment',
    occurred_at: '2026-03-31T12:00:00Z',
    source: 'manual',
    external_id: id,
    apply_handlers: true,
    metadata: {
      posting_date: '2026-03-31',
      memo: id,
      status: 'posted',
      line_items: [
        { element_id: debit, debit_amount: cents, credit_amount: 0 },
        { element_id: credit, debit_amount: 0, credit_amount: cents },
      ],
    },
  };
}

describe('server killed while it posts', () => {
  it('keeps every acknowledged write on the embedded store', { timeout: 300_000 }, async () => {
    await killWhilePosting({ DATA_DIR: await dataDir() });
  });

  it('keeps every acknowledged write on a PostgreSQL server', { timeout: 300_000 }, async () => {
    const database = await startPostgresServer();
    undo.push(() => database.stop());
    await killWhilePosting({ DATA_DIR: await dataDir(), DATABASE_URL: database.url });
  });
});
