/** @module-tag sessions */
// Goal: a write costs as much as its rows, without statistics of its graph in tables that all tenants share. Method: the
// rows that its transactions read and the locks they take, while the planner knows nothing of the graph and believes
// that most entries are drafts.
import { type Store, sql, type Transaction } from '@pacioli/core';
import { type TestClient, type TestService, tamper } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LedgerEntry } from '../src/rows.gen.ts';
import { type Books, done, entry, type Loose, openBooks, startLedger } from './books.ts';
import { addEvents, settleTables } from './long-books.ts';
import { receipt, recordEvent, reverse, sale } from './receivable-books.ts';

/** The cost of transactions. */
interface Cost {
  /** Rows of the ledger's tables that they read. */
  readonly rows: number;
  /** Locks that ANALYZE takes, and no other statement of the ledger. */
  readonly analyzed: number;
}

const costSoFar = sql<Cost>`
  SELECT sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int AS rows, (SELECT count(*)::int FROM pg_locks
    WHERE pid = pg_backend_pid() AND mode = 'ShareUpdateExclusiveLock') AS analyzed
  FROM pg_stat_xact_user_tables WHERE relname LIKE 'ledger\\_%'`;

/**
 * Reads what each transaction of a graph has cost, after each of its statements but the one that is sent with COMMIT. The
 * counters of a session may begin with those of its earlier transactions.
 */
function costsOf(measured: Store): Map<Transaction, Cost> {
  const costs = new Map<Transaction, Cost>();
  const { transaction } = measured;
  const measuring = (tx: Transaction): Transaction => {
    let start: Promise<Cost> | undefined;
    const read = async (): Promise<Cost> => (await tx.query(costSoFar))[0] ?? { rows: 0, analyzed: 0 };
    return {
      scope: tx.scope,
      get graphId() {
        return tx.graphId;
      },
      query: async (statement) => {
        start ??= read();
        const before = await start;
        const rows = await tx.query(statement);
        // Rejected when the statement for COMMIT was given meanwhile.
        const cost = await read().catch(() => undefined);
        if (cost !== undefined) costs.set(tx, { ...cost, rows: cost.rows - before.rows });
        return rows;
      },
      tables: () => tx.tables(),
      stream: (statement, rowsPerBatch) => tx.stream(statement, rowsPerBatch),
      queryAtEnd: (statement) => tx.queryAtEnd(statement),
    };
  };
  measured.transaction = (scope, work, options) =>
    // The call resolves to the result of `work`, which `call` does not infer.
    transaction.call(measured, scope, (tx) => work(measuring(tx)), options) as ReturnType<typeof work>;
  return costs;
}

let service: TestService;
let user: TestClient;
let costs: Map<Transaction, Cost>;
beforeAll(async () => {
  ({ service, user } = await startLedger());
  costs = costsOf(service.store);
});
afterAll(async () => {
  await service.close();
});

const drafts = 200;
const history = 4_000;

/** What a change of the books costs. */
async function costOf(change: () => Promise<unknown>): Promise<Cost> {
  costs.clear();
  await change();
  const each = [...costs.values()];
  return {
    rows: each.reduce((sum, { rows }) => sum + rows, 0),
    analyzed: each.reduce((sum, { analyzed }) => sum + analyzed, 0),
  };
}

/** Closes March with `drafts` drafts. */
async function close(book: Books): Promise<void> {
  const closed = await book.operation('close-period', { period: '2026-03' });
  expect(closed.body.result?.entries_posted, JSON.stringify(closed.body)).toBe(drafts);
}

/** Adds drafts of March to a graph. */
const addDrafts = (book: Books, count: number): Promise<void> =>
  addEvents(service.store, book, { from: 1_001, to: 1_000 + count, status: 'draft', day: '2026-03-15' });

/** The id of the only entry of an event. */
async function entryOf(book: Books, event: Loose): Promise<string> {
  const [row] = await service.store.transaction({ graphId: book.graph }, (tx) =>
    tx.query(sql<Pick<LedgerEntry, 'id'>>`SELECT id FROM ledger_entry WHERE event_id = ${event.id}`),
  );
  return row?.id ?? 'no entry';
}

describe('ledger_gather_statistics', () => {
  it('leaves a table that has grown by a tenth, and gathers statistics of one that has doubled', async () => {
    const book = await openBooks(user);
    /** In one transaction, so that no other process gathers them in between. */
    const gathers = (from: number, to: number): Promise<boolean> =>
      service.store.transaction({ graphId: book.graph }, async (tx) => {
        await tx.query(sql`
          INSERT INTO ledger_event (graph_id, id, event_type, event_class, event_category, status, occurred_at, source, currency,
            metadata, created_at, created_by)
          SELECT ${book.graph}, 'evt_' || n, 'order_received', 'economic', 'sales', 'captured', now(), 'manual', 'USD', '{}',
            now(), 'user_1' FROM generate_series(${from}::integer, ${to}::integer) AS n`);
        await tx.query(sql`SELECT ledger_gather_statistics()`);
        const locks = await tx.query(sql`
          SELECT FROM pg_locks WHERE pid = pg_backend_pid() AND mode = 'ShareUpdateExclusiveLock' AND relation = 'ledger_event'::regclass`);
        return locks.length > 0;
      });
    expect(await gathers(1, 1_000)).toBe(true);
    await settleTables(service.store);
    expect(await gathers(1_001, 1_100)).toBe(false);
    expect(await gathers(1_101, 4_000)).toBe(true);
  });
});

describe('ledger writes', () => {
  it('read rows in proportion to the drafts of a close, and gather no statistics, whatever others have (ledger L-158)', {
    timeout: 300_000,
  }, async () => {
    const [small, neighbor, young] = [await openBooks(user), await openBooks(user), await openBooks(user)];
    await addDrafts(small, drafts);
    const alone = await costOf(() => close(small));
    await addDrafts(neighbor, history);
    await settleTables(service.store);
    await tamper(
      service.store,
      `UPDATE ledger_entry SET status = 'posted', posted_at = now() WHERE graph_id = '${neighbor.graph}';
      UPDATE ledger_line_item SET is_landed = true WHERE graph_id = '${neighbor.graph}'`,
    );
    await addEvents(service.store, young, { from: 10_001, to: 10_000 + history });
    await addDrafts(young, drafts);
    const crowded = await costOf(() => close(young));
    expect(alone.rows).toBeGreaterThan(drafts);
    expect(alone.rows).toBeLessThan(50 * drafts);
    // Each statement may read the graph once, of which the planner knows nothing, but none once for each draft.
    expect(crowded.rows).toBeLessThan(1.2 * alone.rows + 8 * history);
    expect([alone.analyzed, crowded.analyzed]).toEqual([0, 0]);
  });

  it('read few rows when an entry is posted, settled, reversed, edited or retracted in a graph without statistics', {
    timeout: 300_000,
  }, async () => {
    const [neighbor, young] = [await openBooks(user), await openBooks(user)];
    await addEvents(service.store, neighbor, { from: 1, to: history });
    await settleTables(service.store);
    await addEvents(service.store, young, { from: 1, to: history });
    const legs = [
      ['1000', 300, 0],
      ['4000', 0, 300],
    ] as const;
    const read: Record<string, number> = {};
    const measure = async (name: string, change: () => Promise<Loose>): Promise<Loose> => {
      let result: Loose;
      const { rows } = await costOf(async () => {
        result = await change();
      });
      read[name] = rows;
      return result;
    };
    await measure('post', () => done(young, 'create-event-block', entry(young, '2026-03-20', legs)));
    const invoice = await measure('invoice', () =>
      recordEvent(young, { type: 'invoice_issued', amount: 300, legs: sale(300) }),
    );
    const more = { discharges_event_id: invoice.id };
    const payment = await measure('settle', () =>
      recordEvent(young, { type: 'payment_received', amount: 300, legs: receipt(300), more }),
    );
    const paid = await entryOf(young, payment);
    await measure('reverse', () => reverse(young, paid));
    const legsOfDraft = sale(500);
    const drafted = await recordEvent(young, {
      type: 'invoice_issued',
      amount: 500,
      legs: legsOfDraft,
      status: 'draft',
    });
    const draft = await entryOf(young, drafted);
    await measure('edit', () =>
      done(young, 'update-journal-entry', {
        entry_id: draft,
        line_items: [
          { element_id: young.id('1100'), debit_amount: 400 },
          { element_id: young.id('4000'), credit_amount: 400 },
        ],
      }),
    );
    await measure('retract', () =>
      done(young, 'update-event-block', { event_id: drafted.id, transition_to: 'voided' }),
    );
    for (const [name, rows] of Object.entries(read)) expect(rows, name).toBeLessThan(history / 10);
  });
});
