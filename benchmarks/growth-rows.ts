import { randomUUID } from 'node:crypto';
import { sql } from '@pacioli/core';
import type { TestClient, TestService } from '@pacioli/testing';
import type { Callers } from './callers.ts';
import { type GrowingBooks, move } from './growing-books.ts';
import { type Figure, medianOf } from './measure.ts';

const runs = 7;
const drafts = 200;
/** Above 2^43 minor units, from which on a write checks the total of the books. */
const largeAmount = 2 ** 43 + 1;

/** What is measured of books of one size. */
export interface MeasuredRow extends Pick<Figure, 'name' | 'unit' | 'kind' | 'goal'> {
  readonly value: number;
}

/** Books of some size, and who works on them. */
interface BooksAtWork {
  readonly service: TestService;
  readonly user: TestClient;
  readonly books: GrowingBooks;
  readonly callers: Callers;
  /** The time for which each rate is measured. */
  readonly seconds: number;
}

/** Measures reads before they are followed by writes, which add events to the current month. */
export async function measureBooks(work: BooksAtWork): Promise<readonly MeasuredRow[]> {
  const memory = { unit: 'MB', kind: 'time', goal: '≤ 1.5 ×', value: process.memoryUsage().rss / 1e6 } as const;
  const rows: MeasuredRow[] = [{ ...memory, name: 'memory of the process, with the store if embedded' }];
  for (const [name, goal, read] of await readsOf(work)) {
    await medianOf(2, read);
    rows.push({ name, unit: 'ms', kind: 'time', goal, value: await medianOf(runs, read) });
  }
  rows.push(...(await postings(work)), ...(await otherWrites(work)));
  // The postings above are closed before, because the close of their month depends on how many they are.
  await work.books.close();
  await work.books.draft(drafts);
  const close = { name: `close of a month with ${drafts} drafts`, unit: 'ms', kind: 'time', goal: '≤ 1.3 ×' } as const;
  return [...rows, { ...close, value: await work.books.close() }];
}

type Read = readonly [name: string, goal: string, read: () => Promise<unknown>];

/** The reads, with the allowed growth of each. */
async function readsOf({ user, books }: BooksAtWork): Promise<readonly Read[]> {
  const asked = async (query: string): Promise<Record<string, unknown>> => {
    const { body } = await user.graphql(books.graph, `{ ${query} }`);
    if (body.errors !== undefined) throw new Error(`${query}: ${JSON.stringify(body.errors)}`);
    return body.data;
  };
  const statement = (type: string, start: string, end: string) => () =>
    books.run('live-financial-statement', { statement_type: type, period_start: start, period_end: end });
  const { body } = await user.graphql(books.graph, '{ mappings { structures { id } } }');
  const mapping: string = body.data.mappings.structures[0].id;
  const offset = Math.floor((await books.events()) * 0.9);
  const sums = '{ rows { netBalance } }';
  const queries = [
    ['openReceivables', '≤ 2 ×', 'openReceivables { totalOpenCents openEventCount }'],
    ['openReceivablesByAgent', '≤ 2 ×', 'openReceivablesByAgent { agentId openBalanceCents currency }'],
    ['openPayables', '≤ 2 ×', 'openPayables { totalOpenCents openEventCount }'],
    ['openPayablesByAgent', '≤ 2 ×', 'openPayablesByAgent { agentId openBalanceCents currency }'],
    ['agents', '≤ 1.5 ×', 'agents { id name }'],
    [
      'agents with open balances',
      '≤ 1.5 ×',
      'agents { id openReceivable { openBalanceCents } openPayable { openBalanceCents } }',
    ],
    ['trialBalance of everything', '≤ 2 ×', `trialBalance ${sums}`],
    ['trialBalance of one month', '≤ 2 ×', `trialBalance(startDate: "2010-01-01", endDate: "2010-01-31") ${sums}`],
    ['mappedTrialBalance of everything', '≤ 2 ×', `mappedTrialBalance(mappingId: "${mapping}") ${sums}`],
    ['summary', '≤ 20 ms', 'summary { entryCount lineItemCount transactionCount }'],
    ['first page of journalEntries', '≤ 20 ms', 'journalEntries(limit: 50) { entries { id } }'],
    [
      'first page of journalEntries with its total',
      '≤ 20 ms',
      'journalEntries(limit: 50) { pagination { total } entries { id } }',
    ],
    ['deep page of journalEntries', '≤ 20 ms', `journalEntries(limit: 50, offset: ${offset}) { entries { id } }`],
    ['deep page of transactions', '≤ 20 ms', `transactions(limit: 50, offset: ${offset}) { transactions { id } }`],
    ['deep page of eventBlocks', '≤ 20 ms', `eventBlocks(limit: 50, offset: ${offset}) { id }`],
    ['journalEntries that are drafts, none', '≤ 20 ms', 'journalEntries(status: "draft") { entries { id } }'],
    ['transactions of a type, none', '≤ 20 ms', 'transactions(type: "none") { pagination { total } }'],
    ['eventBlocks of a source, none', '≤ 20 ms', 'eventBlocks(source: "none") { id }'],
  ] as const;
  return [
    ...queries.map(([name, goal, query]): Read => [name, goal, () => asked(query)]),
    ['balance sheet', '≤ 2 ×', statement('balance_sheet', `${books.period}-01`, `${books.period}-28`)],
    ['income statement of one month', '≤ 2 ×', statement('income_statement', '2010-01-01', '2010-01-31')],
  ];
}

/** The rates of postings, and the bytes that the store keeps for each. */
async function postings(work: BooksAtWork): Promise<readonly MeasuredRow[]> {
  const { service, user, books, callers: http, seconds } = work;
  const { cash, sales, expenses } = books.accounts;
  const rate = (body: object, callers: number) =>
    http.rate({ url: books.eventsUrl, headers: user.headers, body: JSON.stringify(body), callers, seconds });
  const sale = books.event('journal_entry_recorded', move(cash, sales, 100), { external_id: '{id}' });
  const spending = books.event('journal_entry_recorded', move(expenses, cash, 1), { external_id: '{id}' });
  const limit = (isLimited: boolean) =>
    service.store.transaction({ graphId: books.graph }, (tx) =>
      tx.query(
        sql`UPDATE taxonomy_element SET metadata = metadata || jsonb_build_object('no_negative', ${isLimited}::boolean) WHERE id = ${cash}`,
      ),
    );
  const posted = { unit: 'events/s', kind: 'rate', goal: '≥ 80 %' } as const;
  const before = await stored(work);
  const one = await rate(sale, 1);
  const many = await rate(sale, 16);
  const after = await stored(work);
  await limit(true);
  const limited = await rate(spending, 16);
  await limit(false);
  const events = after.events - before.events;
  const kept = { unit: 'kB', kind: 'time' } as const;
  return [
    { ...posted, name: 'posting, 1 caller', value: one },
    { ...posted, name: 'posting, 16 callers', value: many },
    {
      ...posted,
      name: 'posting to an account that may not fall below zero, 16 callers',
      goal: '≥ 200/s',
      value: limited,
    },
    { ...kept, name: 'storage of one event', goal: '≤ 5 kB', value: (after.bytes - before.bytes) / events / 1000 },
    {
      ...kept,
      name: 'write-ahead log of one event',
      goal: '≤ 6 kB',
      value: (after.logged - before.logged) / events / 1000,
    },
  ];
}

interface Stored {
  readonly events: number;
  /** Of the whole database. */
  readonly bytes: number;
  /** Of the write-ahead log since the database was created. */
  readonly logged: number;
}

async function stored({ service, books }: BooksAtWork): Promise<Stored> {
  const [found] = await service.store.transaction({ graphId: books.graph }, (tx) =>
    tx.query(sql<Stored>`
      SELECT (SELECT count(*) FROM ledger_event WHERE graph_id = ${books.graph})::float8 AS events,
        pg_database_size(current_database())::float8 AS bytes,
        pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 AS logged`),
  );
  if (found === undefined) throw new Error('The database did not tell its size.');
  return found;
}

/** A posting whose event and entry are so large that both totals are checked. */
async function otherWrites({ books }: BooksAtWork): Promise<readonly MeasuredRow[]> {
  const { cash, sales } = books.accounts;
  const large = () =>
    books.run(
      'create-event-block',
      books.event('journal_entry_recorded', move(cash, sales, largeAmount), {
        amount: largeAmount,
        external_id: randomUUID(),
      }),
    );
  await large();
  const value = await medianOf(runs, large);
  return [{ name: 'posting an amount above 2^43', unit: 'ms', kind: 'time', goal: '≤ 1.5 ×', value }];
}
