/**
 * Kills whole processes and starts them again.
 * @module-tag full-run
 */
// Goal: the invariants of the ledger hold after any number of kill -9, and every acknowledged write exists once.
// Method: sixteen callers write, reverse and close until the server is killed; the next one starts on the same data,
// and each caller first repeats its unanswered request. The books are read from the store itself.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Store } from '@pacioli/core';
import { embeddedStore, postgresStore } from '@pacioli/store-postgres';
import { startPostgresServer } from '@pacioli/store-postgres/testing';
import { TestClient } from '@pacioli/testing';
import { afterEach, describe, expect, it } from 'vitest';
import type { Loose } from '../../../plugins/ledger/test/books.ts';
import { expectStoredLaws, expectTrialBalancesZero, expectVerified } from '../../../plugins/ledger/test/laws.ts';
import { type BooksSnapshot, readBooks } from '../../../plugins/ledger/test/read-books.ts';
import { Caller, Closer, closing, type Line } from './kill-callers.ts';
import { type Standalone, startStandalone } from './start-standalone.ts';

const kills = Number(process.env['PACIOLI_LAW_KILLS'] ?? 2);
const writers = 15;
/** The server is killed after this many acknowledged writes of a round, independently of any clock. */
const writesBeforeKill = 60;

const undo: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

async function start(environment: Readonly<Record<string, string>>): Promise<Standalone> {
  const server = await startStandalone(environment);
  undo.push(async () => {
    if (server.child.exitCode === null && server.child.signalCode === null) await server.kill();
  });
  return server;
}

/** Registers a user with an API key that outlives the server, and creates a graph with a chart and a calendar. */
async function setUp(url: string): Promise<{ headers: Record<string, string>; graph: string; accounts: string[] }> {
  const person = { name: 'Kim', email: 'kim@example.org', password: 'Harbour-Lantern-42' };
  const registered = await new TestClient(url, {}).post('/v1/auth/register', person);
  const bearer = new TestClient(url, { authorization: `Bearer ${registered.body.token}` });
  const headers = { 'x-api-key': (await bearer.post('/v1/user/api-keys', { name: 'kill test' })).body.key };
  const client = new TestClient(url, headers);
  const graph = await client.createGraph('Killed', ['ledger']);
  const operation = (name: string, body: object) => client.post(`/extensions/ledger/${graph}/operations/${name}`, body);
  expect((await operation('initialize', { earliest_data_period: closing })).status).toBe(200);
  expect((await operation('initialize-chart-of-accounts', { template: 'services' })).status).toBe(200);
  const { body } = await client.graphql(graph, '{ accounts(limit: 100) { accounts { id code } } }');
  const idOf = (code: string) => body.data.accounts.accounts.find((each: Loose) => each.code === code).id;
  return { headers, graph, accounts: [idOf('1000'), idOf('4000')] };
}

/** Expects the books to contain exactly the acknowledged writes. */
function expectAcknowledged(seen: BooksSnapshot, callers: readonly Caller[], closer: Closer): void {
  const known = callers.flatMap((caller) => caller.known);
  expect(seen.events.map(({ id }) => id).sort()).toEqual(known.map(({ id }) => id).sort());
  const statuses = new Map(seen.events.map(({ id, status }) => [id, status]));
  const entries = new Map(seen.entries.map((entry) => [entry.event_id, entry]));
  expect(entries.size).toBe(seen.entries.length);
  for (const { id, day, status, entry, cents } of known) {
    // A close posts all drafts of its month (ledger L-158, L-166).
    const isInClosing = day.startsWith(closing);
    const statusesAllowed = isInClosing && status === 'classified' ? ['classified', 'committed'] : [status];
    expect(statusesAllowed).toContain(statuses.get(id));
    const entriesAllowed = isInClosing && entry === 'draft' ? ['draft', 'posted'] : [entry];
    const found = entries.get(id);
    expect(entriesAllowed).toContain(found?.status ?? 'none');
    if (found !== undefined)
      expect([id, found.lines[0]?.debit_amount || found.lines[1]?.debit_amount]).toEqual([id, cents]);
  }
  expect(seen.calendar?.closed_through ?? null).toBe(closer.isClosed ? closing : null);
}

async function killWhileWriting(
  environment: Readonly<Record<string, string>>,
  openStore: () => Promise<Store>,
): Promise<void> {
  let server = await start(environment);
  const { headers, graph, accounts } = await setUp(server.url);
  const callers = Array.from({ length: writers }, (_, place) => new Caller(place));
  const closer = new Closer();
  for (let round = 0; round <= kills; round += 1) {
    const client = new TestClient(server.url, headers);
    let acknowledged = 0;
    let isOver = false;
    const line: Line = {
      accounts,
      isCut: () => isOver,
      send: async ({ name, body, key }) => {
        if (isOver) return undefined;
        const path = `/extensions/ledger/${graph}/operations/${name}`;
        const answer = await client.post(path, body, { 'idempotency-key': key }).catch(() => undefined);
        if (answer === undefined) return undefined;
        acknowledged += 1;
        if (acknowledged === writesBeforeKill && round < kills) {
          isOver = true;
          await server.kill();
        }
        return answer;
      },
      query: async (text) =>
        isOver ? undefined : (await client.graphql(graph, text).catch(() => undefined))?.body.data,
    };
    const writers = [...callers, closer];
    if (round < kills) {
      await Promise.all(writers.map((caller) => caller.write(line)));
      server = await start(environment);
    } else await Promise.all(writers.map((caller) => caller.settle(line)));
  }
  await server.stop();
  const store = await openStore();
  const seen = await readBooks(store, graph);
  await expectVerified(store, graph);
  await store.close();
  expectStoredLaws(seen);
  expectAcknowledged(seen, callers, closer);
  server = await start(environment);
  const client = new TestClient(server.url, headers);
  const query = async (text: string) => (await client.graphql(graph, text)).body.data;
  await expectTrialBalancesZero({ query }, seen);
}

describe('server killed while sixteen callers write, reverse and close', () => {
  it('keeps the ledger invariants and acknowledged writes on the embedded store', { timeout: 600_000 }, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pacioli-kill-laws-'));
    undo.push(() => rm(folder, { recursive: true, force: true }));
    await killWhileWriting({ DATA_DIR: folder }, () => embeddedStore({ folder: join(folder, 'store') }));
  });

  it('keeps the ledger invariants and acknowledged writes on a PostgreSQL server', { timeout: 600_000 }, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pacioli-kill-laws-'));
    undo.push(() => rm(folder, { recursive: true, force: true }));
    const database = await startPostgresServer();
    undo.push(() => database.stop());
    const { url } = database;
    await killWhileWriting({ DATA_DIR: folder, DATABASE_URL: url }, () => postgresStore({ url }));
  });
});
