import { randomUUID } from 'node:crypto';
import { sql } from '@pacioli/core';
import { embeddedStore } from '@pacioli/store-postgres';
import { startTestService, type TestClient, type TestService } from '@pacioli/testing';
import { startBenchService } from './bench-service.ts';
import { ledgerPlugins, openBooks } from './books.ts';
import { type Callers, startCallers } from './callers.ts';
import { GrowingBooks, move } from './growing-books.ts';
import { type Figure, medianOf } from './measure.ts';

const variable = 'PACIOLI_BENCH_GROWTH';
const usual = 'server:5000,25000,100000 embedded:5000,25000';
const runs = 7;
const seconds = 4;
const drafts = 200;
/** Above 2^43 minor units, from which on a write sums the books. */
const largeAmount = 2 ** 43 + 1;

/** One store and the sizes at which its books are measured, smallest first. */
interface Growth {
  readonly store: 'server' | 'embedded';
  readonly sizes: readonly number[];
}

/** What is measured at each size, and the growth that is allowed to the last one. */
interface Row {
  readonly name: string;
  readonly unit: string;
  readonly kind: Figure['kind'];
  readonly goal: string;
  readonly values: readonly number[];
}

/** A service, and the figures that only a server has. */
interface Place {
  readonly service: TestService;
  readonly user: TestClient;
  /** Bytes of the tables, and of the write-ahead log since the start of the server; undefined on an embedded store. */
  storage(): Promise<{ readonly stored: number; readonly logged: number } | undefined>;
  close(): Promise<void>;
}

/** Measures the same work on the same books as they grow, with a constant number of open items. */
export async function growth(wanted = process.env[variable] ?? usual): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const each of parse(wanted)) figures.push(...(await grow(each)));
  return figures;
}

function parse(wanted: string): readonly Growth[] {
  return wanted.split(' ').map((part) => {
    const [store = '', sizes = ''] = part.split(':');
    const numbers = sizes.split(',').map(Number);
    if ((store !== 'server' && store !== 'embedded') || !numbers.every((size) => size > 0))
      throw new Error(`${variable} is '${wanted}'; it names stores and sizes, such as '${usual}'.`);
    return { store, sizes: numbers.sort((a, b) => a - b) };
  });
}

async function grow({ store, sizes }: Growth): Promise<readonly Figure[]> {
  const place = await openPlace(store);
  const callers = startCallers();
  try {
    const books = await begin(place);
    const columns: (readonly Measured[])[] = [];
    for (const size of sizes) {
      const before = { events: books.events, storage: await place.storage() };
      await books.growTo(size);
      const stored = await storageRows(place, books, before);
      columns.push([...stored, ...(await measured(place, books, callers))]);
    }
    const [first = []] = columns;
    return first.map(({ value, ...row }, index) => {
      const values = columns.map((column) => column[index]?.value ?? Number.NaN);
      return figureOf(store, sizes, { ...row, values });
    });
  } finally {
    callers.close();
    await place.close();
  }
}

function figureOf(store: string, sizes: readonly number[], { name, values, ...row }: Row): Figure {
  const [smallest = 0] = sizes;
  const all = sizes.map((size, index) => `${size}: ${(values[index] ?? Number.NaN).toFixed(1)}`);
  return {
    ...row,
    name: `growth, ${store}: ${name}`,
    ours: values.at(-1) ?? Number.NaN,
    bare: values[0] ?? Number.NaN,
    beside: `at ${smallest} events`,
    note: all.join(', '),
  };
}

async function openPlace(store: Growth['store']): Promise<Place> {
  if (store === 'server') {
    const { pool, service, user, close } = await startBenchService(ledgerPlugins);
    const storage = async () => {
      const { rows } = await pool.query(
        `SELECT pg_database_size(current_database())::float8 AS stored, pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 AS logged`,
      );
      return rows[0];
    };
    return { service, user, storage, close };
  }
  const opened = await embeddedStore({ folder: 'memory' });
  const service = await startTestService({
    plugins: ledgerPlugins,
    store: opened,
    aliases: { ledger: ['roboledger'] },
  });
  return {
    service,
    user: await service.newUser('Bench'),
    storage: async () => undefined,
    close: async () => {
      await service.close();
      await opened.close();
    },
  };
}

async function begin({ user }: Place): Promise<GrowingBooks> {
  const { graph, idOf } = await openBooks({ user }, '2010-01');
  const books = new GrowingBooks(
    user,
    { graph },
    {
      cash: idOf('1000'),
      receivables: idOf('1100'),
      payables: idOf('2000'),
      sales: idOf('4000'),
      tax: idOf('2300'),
      expenses: idOf('5000'),
    },
  );
  await books.begin();
  return books;
}

interface Measured extends Omit<Row, 'values'> {
  readonly value: number;
}

async function storageRows(
  place: Place,
  books: GrowingBooks,
  before: { readonly events: number; readonly storage: Awaited<ReturnType<Place['storage']>> },
): Promise<readonly Measured[]> {
  const now = await place.storage();
  if (now === undefined || before.storage === undefined) return [];
  const events = books.events - before.events;
  const row = { unit: 'kB', kind: 'time' } as const;
  return [
    {
      ...row,
      name: 'storage of one event',
      goal: '≤ 5 kB',
      value: (now.stored - before.storage.stored) / events / 1000,
    },
    {
      ...row,
      name: 'write-ahead log of one event',
      goal: '≤ 6 kB',
      value: (now.logged - before.storage.logged) / events / 1000,
    },
  ];
}

async function measured(place: Place, books: GrowingBooks, callers: Callers): Promise<readonly Measured[]> {
  const { user } = place;
  const rows: Measured[] = [];
  for (const [name, goal, query] of await reads(user, books)) {
    const read = async () => {
      const answer = await user.graphql(books.graph, `{ ${query} }`);
      if (answer.body.errors !== undefined) throw new Error(`${name}: ${JSON.stringify(answer.body.errors)}`);
    };
    await medianOf(2, read);
    rows.push({ name, unit: 'ms', kind: 'time', goal, value: await medianOf(runs, read) });
  }
  rows.push(...(await writes(place, books, callers)));
  await books.draft(drafts);
  rows.push({
    name: `close of a month with ${drafts} drafts`,
    unit: 'ms',
    kind: 'time',
    goal: '≤ 1.3 ×',
    value: await books.close(),
  });
  return rows;
}

/** The reads with the allowed growth of each, as GraphQL fields. */
async function reads(user: TestClient, books: GrowingBooks): Promise<readonly (readonly [string, string, string])[]> {
  const { body } = await user.graphql(books.graph, '{ mappings { structures { id } } }');
  const mapping: string = body.data.mappings.structures[0].id;
  const total = '{ totalOpenCents openEventCount }';
  const byAgent = '{ agentId openBalanceCents currency }';
  const page = '{ pagination { total } entries { id } }';
  const sums = '{ rows { netBalance } }';
  const deep = Math.floor(books.events * 0.9);
  return [
    ['openReceivables', '≤ 2 ×', `openReceivables ${total}`],
    ['openReceivablesByAgent', '≤ 2 ×', `openReceivablesByAgent ${byAgent}`],
    ['openPayables', '≤ 2 ×', `openPayables ${total}`],
    ['openPayablesByAgent', '≤ 2 ×', `openPayablesByAgent ${byAgent}`],
    ['agents', '≤ 1.5 ×', 'agents { id name }'],
    [
      'agents with open balances',
      '≤ 1.5 ×',
      'agents { id openReceivable { openBalanceCents } openPayable { openBalanceCents } }',
    ],
    ['trialBalance of everything', '≤ 2 ×', `trialBalance ${sums}`],
    [
      'trialBalance of the first month',
      '≤ 2 ×',
      `trialBalance(startDate: "2010-01-01", endDate: "2010-01-31") ${sums}`,
    ],
    ['mappedTrialBalance of everything', '≤ 2 ×', `mappedTrialBalance(mappingId: "${mapping}") ${sums}`],
    ['summary', '≤ 20 ms', 'summary { entryCount lineItemCount transactionCount }'],
    ['first page of journalEntries', '≤ 20 ms', `journalEntries(limit: 50) ${page}`],
    ['deep page of journalEntries', '≤ 20 ms', `journalEntries(limit: 50, offset: ${deep}) ${page}`],
    ['transactions of a type without any', '≤ 20 ms', 'transactions(type: "none") { pagination { total } }'],
  ];
}

async function writes({ service, user }: Place, books: GrowingBooks, http: Callers): Promise<readonly Measured[]> {
  const url = `${service.url}/extensions/ledger/${books.graph}/operations/create-event-block`;
  const { cash, sales, expenses } = books.accounts;
  const rate = (body: object, callers: number) =>
    http.rate({ url, headers: user.headers, body: JSON.stringify(body), callers, seconds });
  const sale = books.event('journal_entry_recorded', move(cash, sales, 100), { external_id: '{id}' });
  const spending = books.event('journal_entry_recorded', move(expenses, cash, 1), { external_id: '{id}' });
  const large = () =>
    books.record('journal_entry_recorded', move(cash, sales, largeAmount), { external_id: randomUUID() });
  const limit = (isLimited: boolean) =>
    service.store.transaction({ graphId: books.graph }, (tx) =>
      tx.query(
        sql`UPDATE taxonomy_element SET metadata = metadata || jsonb_build_object('no_negative', ${isLimited}::boolean) WHERE id = ${cash}`,
      ),
    );
  const row = { unit: 'events/s', kind: 'rate', goal: '≥ 80 %' } as const;
  const one = await rate(sale, 1);
  const many = await rate(sale, 16);
  const largeTime = await medianOf(3, large);
  await limit(true);
  const limited = await rate(spending, 16);
  await limit(false);
  return [
    { ...row, name: 'posting, 1 caller', value: one },
    { ...row, name: 'posting, 16 callers', value: many },
    { ...row, name: 'posting to an account that may not fall below zero, 16 callers', value: limited },
    { name: 'posting an amount above 2^43', unit: 'ms', kind: 'time', goal: '≤ 1.5 ×', value: largeTime },
  ];
}
