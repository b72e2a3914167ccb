// Goal: the laws of the ledger hold after any number of kill -9, and all that was acknowledged is there, once.
// Method: sixteen callers write, take back and close until the server is killed under them; the next one starts on the
// same data, and each caller first repeats the request that was not answered. The books are read from the store itself.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Store } from '@pacioli/core';
import { embeddedStore, postgresStore } from '@pacioli/store-postgres';
import { startPostgresServer } from '@pacioli/store-postgres/testing';
import { TestClient } from '@pacioli/testing';
import { afterEach, describe, expect, it } from 'vitest';
import type { Loose } from '../../../plugins/ledger/test/books.ts';
import { type Seen, seeBooks } from '../../../plugins/ledger/test/books-seen.ts';
import { expectStoredLaws, expectTrialBalancesZero, expectVerified } from '../../../plugins/ledger/test/laws.ts';
import { type Standalone, startStandalone } from './start-standalone.ts';

const kills = Number(process.env['PACIOLI_LAW_KILLS'] ?? 2);
const writers = 15;
/** The server is killed after so many acknowledged writes of a round, so that the moment does not hang on a clock. */
const writes_before_kill = 60;
/** How often a caller comes again before it gives up. */
const tries_max = 200;

const undo: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

/** The month so many months ago. */
function monthsAgo(count: number): string {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - count, 1)).toISOString().slice(0, 7);
}
const [closing, open] = [monthsAgo(2), monthsAgo(1)];

interface Request {
  readonly name: string;
  readonly body: object;
  readonly key: string;
}

/** What a caller knows of an event of its own, from acknowledged answers alone. */
interface Known {
  readonly id: string;
  readonly day: string;
  status: string;
  entry: 'none' | 'draft' | 'posted' | 'reversed';
  cents: number;
}

/** A request that was not answered yet, and what its answer means. */
interface Waiting {
  readonly request: Request;
  readonly heard: (result: Loose) => void;
}

interface Answered {
  readonly status: number;
  readonly body: Loose;
}

/** The calls of all, until one of them sees that the server is gone. */
interface Line {
  readonly accounts: readonly string[];
  isCut(): boolean;
  send(request: Request): Promise<Answered | undefined>;
  query(text: string): Promise<Loose | undefined>;
}

/** One caller with its own day of each month, so that nobody else touches what it makes. */
class Caller {
  readonly known: Known[] = [];
  readonly #place: number;
  #turn = 0;
  #waiting: Waiting | undefined;

  constructor(place: number) {
    this.#place = place;
  }

  /** Writes until the line is cut; what was not answered is asked again first, with the same key. */
  async write(line: Line): Promise<void> {
    while (await this.settle(line)) this.#waiting = await this.#next(line);
  }

  /** Asks what was not answered. Returns false when it is not answered again. */
  async settle(line: Line): Promise<boolean> {
    if (this.#waiting === undefined) return !line.isCut();
    const { request, heard } = this.#waiting;
    const answer = await insist(line, request);
    if (answer === undefined) return false;
    this.#waiting = undefined;
    if (answer.status === 200) heard(answer.body.result);
    return true;
  }

  async #next(line: Line): Promise<Waiting | undefined> {
    this.#turn += 1;
    const turn = this.#turn;
    const key = `c${this.#place}-${turn}`;
    const event = this.known.at(-1);
    const kind = turn % 8;
    if (event !== undefined && kind === 2 && event.entry === 'draft') return this.#edit(line, event, key);
    if (event !== undefined && kind === 4 && event.entry === 'posted') return this.#reverse(line, event, key);
    const move = { 6: 'voided', 7: 'committed' }[kind];
    if (event !== undefined && move !== undefined && event.status !== 'voided' && event.entry !== 'posted') {
      const heard = (): void => {
        if (move === 'committed' && event.entry === 'none') event.entry = 'draft';
        if (move === 'voided') event.entry = 'none';
        event.status = move;
      };
      return { request: { name: 'update-event-block', body: { event_id: event.id, transition_to: move }, key }, heard };
    }
    return this.#record(line, kind, key);
  }

  #record(line: Line, kind: number, key: string): Waiting {
    const mode = (['draft', 'draft', 'posted', 'posted', 'captured'] as const)[this.#turn % 5] ?? 'draft';
    const month = kind % 2 === 0 ? open : closing;
    const day = `${month}-${String(this.#place + 1).padStart(2, '0')}`;
    const cents = this.#turn * 100 + this.#place;
    const status = mode === 'posted' ? 'posted' : 'draft';
    const metadata = { posting_date: day, memo: key, status, line_items: legs(line, cents) };
    const more = { external_id: key, apply_handlers: mode !== 'captured' };
    const body = { ...event('journal_entry_recorded', metadata), ...more };
    const heard = (made: Loose): void => {
      const entry = mode === 'captured' ? 'none' : mode;
      this.known.push({ id: made.id, day, status: made.status, entry, cents });
    };
    return { request: { name: 'create-event-block', body, key }, heard };
  }

  async #edit(line: Line, event: Known, key: string): Promise<Waiting | undefined> {
    const entry_id = await entryOf(line, event);
    if (entry_id === undefined) return undefined;
    const cents = event.cents + 1;
    const body = { entry_id, line_items: legs(line, cents) };
    const heard = (): void => {
      event.cents = cents;
    };
    return { request: { name: 'update-journal-entry', body, key }, heard };
  }

  async #reverse(line: Line, original: Known, key: string): Promise<Waiting | undefined> {
    const entry_id = await entryOf(line, original);
    if (entry_id === undefined) return undefined;
    const day = `${open}-${String(this.#place + 1).padStart(2, '0')}`;
    const body = event('journal_entry_reversed', { entry_id, posting_date: day });
    const heard = (made: Loose): void => {
      original.entry = 'reversed';
      this.known.push({ id: made.id, day, status: made.status, entry: 'posted', cents: original.cents });
    };
    return { request: { name: 'create-event-block', body, key }, heard };
  }
}

function event(event_type: string, metadata: object): object {
  const occurred_at = `${open}-01T12:00:00Z`;
  return { event_type, event_category: 'adjustment', occurred_at, source: 'manual', apply_handlers: true, metadata };
}

function legs({ accounts: [debit, credit] }: Line, cents: number): readonly object[] {
  return [
    { element_id: debit, debit_amount: cents, credit_amount: 0 },
    { element_id: credit, debit_amount: 0, credit_amount: cents },
  ];
}

async function entryOf(line: Line, { id, day }: Known): Promise<string | undefined> {
  const found = await line.query(
    `{ journalEntries(startDate: "${day}", endDate: "${day}", limit: 1000) { entries { id triggeredByEventId } } }`,
  );
  return found?.journalEntries.entries.find((entry: Loose) => entry.triggeredByEventId === id)?.id;
}

/** Closes the older month and opens it again, in turns. */
class Closer {
  isClosed = false;
  #turn = 0;
  #isWaiting = false;

  async write(line: Line): Promise<void> {
    while (await this.settle(line)) {
      this.#turn += 1;
      this.#isWaiting = true;
    }
  }

  async settle(line: Line): Promise<boolean> {
    if (!this.#isWaiting) return !line.isCut();
    const name = this.isClosed ? 'reopen-period' : 'close-period';
    const body = { period: closing, ...(this.isClosed ? { reason: 'by chance' } : {}) };
    const answer = await insist(line, { name, body, key: `closer-${this.#turn}` });
    if (answer === undefined) return false;
    expect([name, answer.status, answer.body.detail]).toEqual([name, 200, undefined]);
    this.#isWaiting = false;
    this.isClosed = !this.isClosed;
    return true;
  }
}

/** Sends a request until it is taken or refused: who finds a row being written is told to come again (ledger L-9). */
async function insist(line: Line, request: Request): Promise<Answered | undefined> {
  for (let tries = 0; tries < tries_max; tries += 1) {
    const answer = await line.send(request);
    if (answer === undefined || answer.status === 200 || answer.status === 422) return answer;
    expect([request.name, answer.status, answer.body]).toEqual([
      request.name,
      409,
      expect.objectContaining({ detail: expect.not.stringContaining('already ingested') }),
    ]);
  }
  throw new Error(`The request ${request.key} was told to come again ${tries_max} times.`);
}

async function start(environment: Readonly<Record<string, string>>): Promise<Standalone> {
  const server = await startStandalone(environment);
  undo.push(async () => {
    if (server.child.exitCode === null && server.child.signalCode === null) await server.kill();
  });
  return server;
}

/** Registers a user with a key that outlives the server, and makes a graph with a chart and a calendar. */
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

/** What the callers were told is what the books hold, and nothing else is there. */
function expectAcknowledged(seen: Seen, callers: readonly Caller[], closer: Closer): void {
  const known = callers.flatMap((caller) => caller.known);
  expect(seen.events.map(({ id }) => id).sort()).toEqual(known.map(({ id }) => id).sort());
  const statuses = new Map(seen.events.map(({ id, status }) => [id, status]));
  const entries = new Map(seen.entries.map((entry) => [entry.event_id, entry]));
  expect(entries.size).toBe(seen.entries.length);
  for (const { id, day, status, entry, cents } of known) {
    // A close posts what it finds in its month (ledger L-158, L-166).
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
        if (acknowledged === writes_before_kill && round < kills) {
          isOver = true;
          await server.kill();
        }
        return answer;
      },
      query: async (text) =>
        isOver ? undefined : (await client.graphql(graph, text).catch(() => undefined))?.body.data,
    };
    const everybody = [...callers, closer];
    if (round < kills) {
      await Promise.all(everybody.map((caller) => caller.write(line)));
      server = await start(environment);
    } else await Promise.all(everybody.map((caller) => caller.settle(line)));
  }
  await server.stop();
  const store = await openStore();
  const seen = await seeBooks(store, graph);
  await expectVerified(store, graph);
  await store.close();
  expectStoredLaws(seen);
  expectAcknowledged(seen, callers, closer);
  server = await start(environment);
  const client = new TestClient(server.url, headers);
  const query = async (text: string) => (await client.graphql(graph, text)).body.data;
  await expectTrialBalancesZero({ query }, seen);
}

describe('a server that is killed while sixteen callers write, take back and close', () => {
  it('keeps the laws and what it acknowledged on the embedded store', { timeout: 600_000 }, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pacioli-kill-laws-'));
    undo.push(() => rm(folder, { recursive: true, force: true }));
    await killWhileWriting({ DATA_DIR: folder }, () => embeddedStore({ folder: join(folder, 'store') }));
  });

  it('keeps the laws and what it acknowledged on a PostgreSQL server', { timeout: 600_000 }, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pacioli-kill-laws-'));
    undo.push(() => rm(folder, { recursive: true, force: true }));
    const database = await startPostgresServer();
    undo.push(() => database.stop());
    const { url } = database;
    await killWhileWriting({ DATA_DIR: folder, DATABASE_URL: url }, () => postgresStore({ url }));
  });
});
