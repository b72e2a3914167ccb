/**
 * Goal: what concerns a page, a month or what is open costs the same however old the books are. Method: companies
 * with the same open items, one of them young and the others with four times the history; each statement of a read is
 * explained, and the buffers that it touched are added up, because times vary. Month totals have no statistics here, as
 * in books that have just begun to close months.
 * @module-tag sessions
 */
import { sql, type Transaction } from '@pacioli/core';
import { chartOfAccounts } from '@pacioli/taxonomy';
import { type TestClient, type TestService, tamper } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keepMonthTotals } from '../src/balances/index.ts';
import { aging, entryFlows } from '../src/index.ts';
import { firstBelowZero, requireCapacityForAmount, requireCapacityForDebits } from '../src/journal/index.ts';
import { type Books, done, entry, type Leg, openBooks, startLedger } from './books.ts';
import { type BufferCount, countBuffers } from './buffer-count.ts';
import { payment, purchase, receipt, recordEvent, sale } from './receivable-books.ts';

const openItems = 20;
const months = 6;
/** Each has an invoice with its payment and a bill with its payment. */
const copiesPerMonth = 60;

let service: TestService;
let user: TestClient;
let buffers: BufferCount;
let young: Books;
let old: Books;
let oldWithoutTotals: Books;
/** A test adds totals and leaves them: deleted rows stay in the index while another test has a transaction open. */
let oldWithLaterTotals: Books;
beforeAll(async () => {
  ({ service, user } = await startLedger());
  await stopAutovacuum();
  buffers = countBuffers(service.store);
  young = await agedBooks(months);
  old = await agedBooks(4 * months);
  oldWithoutTotals = await agedBooks(4 * months, { hasTotals: false });
  oldWithLaterTotals = await agedBooks(4 * months);
  // Jobs, such as the one that seals the log, would run statements while those of a read are counted.
  await service.service.drain();
}, 300_000);
afterAll(() => service.close());

/** Otherwise it could change plans and mark pages as visible between the measurements that a test compares. */
async function stopAutovacuum(): Promise<void> {
  await tamper(
    service.store,
    `DO $$ DECLARE name regclass; BEGIN
      FOR name IN SELECT oid FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace LOOP
        EXECUTE format('ALTER TABLE %s SET (autovacuum_enabled = false)', name);
      END LOOP;
    END $$`,
  );
}

/** Books with this many months of settled history, and the same open items and latest month. */
async function agedBooks(age: number, { hasTotals = true } = {}): Promise<Books> {
  const book = await openBooks(user, 'llc', { earliest_data_period: '2020-01' });
  const agents: string[] = [];
  for (const name of ['Ada', 'Bob', 'Cleo', 'Dan'])
    agents.push((await done(book, 'create-agent', { agent_type: 'other', name })).id);
  const record = (type: string, legs: readonly Leg[], more: object = {}): Promise<{ readonly id: string }> =>
    recordEvent(book, { type, amount: 100, legs, more });
  for (let index = 0; index < openItems; index += 1) {
    const more = { agent_id: agents[index % agents.length] };
    await record('invoice_issued', sale(100), more);
    await record('bill_received', purchase(100), more);
  }
  const invoice = await record('invoice_issued', sale(100), { agent_id: agents[0] });
  const bill = await record('bill_received', purchase(100), { agent_id: agents[1] });
  await record('payment_received', receipt(100), { discharges_event_id: invoice.id, agent_id: agents[0] });
  await record('bill_paid', payment(100), { discharges_event_id: bill.id, agent_id: agents[1] });
  await copy(book, { age, invoice: invoice.id, bill: bill.id });
  // All months before the latest one, as their closes would leave them.
  await service.store.transaction({ graphId: book.graph }, async (tx) => {
    await tx.query(sql`UPDATE ledger_fiscal_period SET status = 'closed' WHERE name < '2026-03'`);
    // The first month, and all later ones that are closed.
    if (hasTotals) await keepMonthTotals(tx, '2020-01');
    await tx.query(sql`UPDATE ledger_fiscal_calendar SET closed_through = '2026-02'`);
  });
  return book;
}

/**
 * Copies the settled events and their rows into the months before. Without triggers, because nothing of the copies is
 * open, and rows that are stored and removed again would count until the next vacuum.
 */
async function copy(
  book: Books,
  { age, invoice, bill }: { age: number; invoice: string; bill: string },
): Promise<void> {
  const own = `graph_id = '${book.graph}'`;
  const ids = `('${invoice}', '${bill}')`;
  const settled = `SELECT id FROM ledger_event WHERE ${own} AND (id IN ${ids} OR discharges_event_id IN ${ids})`;
  const entries = `SELECT id FROM ledger_entry WHERE ${own} AND event_id IN (${settled})`;
  const tables = [
    ['ledger_line_item', `entry_id IN (${entries})`, ['id', 'entry_id'], ['posting_date']],
    ['ledger_entry', `event_id IN (${settled})`, ['id', 'event_id', 'transaction_id'], ['posting_date']],
    ['ledger_transaction', `event_id IN (${settled})`, ['id', 'event_id'], ['date']],
    ['ledger_event_settlement', `originating_event_id IN ${ids}`, ['originating_event_id', 'discharging_event_id'], []],
    ['ledger_event', `id IN (${settled})`, ['id', 'discharges_event_id'], ['occurred_at']],
  ] as const;
  const statements = tables.map(([table, which, renamed, moved]) => {
    const columns = [
      ...renamed.map((column) => `'${column}', t.${column} || '_' || n`),
      ...moved.map((column) => `'${column}', t.${column} - make_interval(months => 1 + n % ${age})`),
    ];
    return `INSERT INTO ${table} SELECT c.* FROM ${table} AS t CROSS JOIN generate_series(1, ${age * copiesPerMonth}) AS n
      CROSS JOIN LATERAL jsonb_populate_record(t, jsonb_build_object(${columns.join(', ')})) AS c WHERE t.${own} AND t.${which}`;
  });
  await tamper(service.store, statements.join('; '));
  await gatherStatistics(book);
}

/** As the server does within a minute; sessions plan anew after it. */
const gatherStatistics = (book: Books): Promise<unknown> =>
  service.store.transaction({ graphId: book.graph }, (tx) => tx.query(sql`SELECT ledger_gather_statistics()`));

/** The buffers that a read touches in these books, after a first call, which may read catalogs. */
async function costIn(book: Books, read: (book: Books) => Promise<unknown>): Promise<number> {
  await read(book);
  return buffers.of(() => read(book));
}

/** The buffers that a read touches in the young and in the old books. */
async function cost(
  read: (book: Books) => Promise<unknown>,
): Promise<{ readonly young: number; readonly old: number }> {
  return { young: await costIn(young, read), old: await costIn(old, read) };
}

/** With some buffers for the height of indexes and for pages that both companies share. */
const isAsMany = (before: number, after: number): boolean => after <= 1.5 * before + 20;

function expectAsMany(before: number, after: number): void {
  expect(before).toBeGreaterThan(0);
  expect([before, after, isAsMany(before, after)]).toEqual([before, after, true]);
}

describe('reads of books with four times the history', () => {
  it.each([
    'openReceivables { totalOpenCents openEventCount counterpartyCount }',
    'openPayables { totalOpenCents }',
    'openReceivablesByAgent { agentId openBalanceCents }',
    'openPayablesByAgent { agentId openBalanceCents }',
    'agents { id openReceivable { openBalanceCents } openPayable { openBalanceCents } }',
    'eventBlocks(limit: 20) { id }',
    'trialBalance(startDate: "2026-02-01", endDate: "2026-02-28") { rows { netBalance } }',
    'trialBalance { rows { netBalance } }',
    'accountRollups { totalMapped }',
  ])('touch as many buffers as before: %s (ledger L-100c, L-218)', async (field) => {
    const { young: before, old: after } = await cost((book) => book.query(`{ ${field} }`));
    expectAsMany(before, after);
  });

  it('touch more buffers than that for a trial balance without the totals of closed months (ledger L-218)', async () => {
    const read = (book: Books) => book.query('{ trialBalance { rows { netBalance } } }');
    const [before, after] = [await costIn(young, read), await costIn(oldWithoutTotals, read)];
    expect([before, after, isAsMany(before, after)]).toEqual([before, after, false]);
  });

  it('touch as many buffers as before for an early month that many closed months follow (ledger L-218)', async () => {
    const read = () =>
      oldWithLaterTotals.query(
        '{ trialBalance(startDate: "2024-06-01", endDate: "2024-06-30") { rows { netBalance } } }',
      );
    await read();
    const before = await buffers.of(read);
    const columns = 'debit_total, credit_total, line_count';
    await tamper(
      service.store,
      `INSERT INTO ledger_month_total (graph_id, period, element_id, currency, ${columns})
      SELECT graph_id, period, element_id || ' ' || n, currency, ${columns} FROM ledger_month_total, generate_series(1, 200) AS n
      WHERE graph_id = '${oldWithLaterTotals.graph}' AND period > '2024-06'`,
    );
    await read();
    expectAsMany(before, await buffers.of(read));
  });

  it('touch as many buffers as before for the aging of today (ledger L-100c, L-102)', async () => {
    const asOf = '2026-04-01';
    const { young: before, old: after } = await cost((book) =>
      service.store.transaction({ graphId: book.graph }, (tx) =>
        service.service.services.resolve(aging).aging(tx, 'receivable', asOf),
      ),
    );
    expectAsMany(before, after);
  });
});

describe('entry flows of books with four times the history', () => {
  const march = { start: '2026-03-01', end: '2026-03-31' };
  const inBooks = (read: (tx: Transaction, book: Books) => Promise<unknown>) => (book: Books) =>
    service.store.transaction({ graphId: book.graph }, (tx) => read(tx, book));

  it('touch as many buffers as before for the entries of the latest month (reporting S-13)', async () => {
    const flows = service.service.services.resolve(entryFlows);
    const { young: before, old: after } = await cost(
      inBooks(async (tx, book) => {
        const accountIds = [book.id('1100'), book.id('2700')];
        const found = [];
        const filter = { ranges: [march], currency: 'USD', accountIds, flowElementIds: ['elem_none'] };
        for await (const each of flows.entries(tx, filter)) found.push(each);
        expect(found.length).toBe(openItems + 2);
      }),
    );
    expectAsMany(before, after);
  });

  it('touch as many buffers as before for an entry that may close income (reporting S-2a, ledger L-218)', async () => {
    const flows = service.service.services.resolve(entryFlows);
    for (const book of [young, old]) {
      const legs: readonly Leg[] = [
        ['4000', 1, 0],
        ['3000', 0, 1],
      ];
      await done(book, 'create-event-block', entry(book, '2026-03-31', legs));
    }
    const { young: before, old: after } = await cost(
      inBooks(async (tx, book) => {
        const accounts = { flowIds: [book.id('4000')], equityIds: [book.id('3000')], summaryIds: [] };
        expect((await flows.clearing(tx, march, 'USD', accounts)).cleared).toEqual([]);
      }),
    );
    expectAsMany(before, after);
  });
});

describe('checks of a write to books with four times the history', () => {
  const large = 2 ** 43;
  const inBooks = (check: (tx: Transaction, book: Books) => Promise<unknown>) => (book: Books) =>
    service.store.transaction({ graphId: book.graph }, (tx) => check(tx, book));

  it.each<readonly [string, (tx: Transaction, book: Books) => Promise<unknown>]>([
    [
      'the total of large event amounts (ledger L-2)',
      (tx) => requireCapacityForAmount(tx, { amount: large, currency: 'USD' }),
    ],
    [
      'the total of all debits (ledger L-2, L-218)',
      (tx) => requireCapacityForDebits(tx, { amount: BigInt(large), currency: 'USD' }),
    ],
    [
      'an account that may not fall below zero (ledger L-213, L-218)',
      async (tx, book) => {
        const id = book.id('1000');
        const account = (await service.service.services.resolve(chartOfAccounts).find(tx, [id])).get(id);
        if (account === undefined) throw new Error('The chart has an account 1000.');
        return firstBelowZero(tx, [{ account, currency: 'USD' }]);
      },
    ],
  ])('touch as many buffers as before: %s', async (_name, check) => {
    const { young: before, old: after } = await cost(inBooks(check));
    expectAsMany(before, after);
  });
});
