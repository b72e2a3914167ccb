/** @module-tag sessions */
// Goal: a close costs as much as its month, without statistics of tables that all tenants share. Method: the rows that
// its transaction reads and the locks it takes, while the planner knows nothing of the graph and believes that most
// entries are drafts.
import { sql, type Transaction } from '@pacioli/core';
import { type TestClient, type TestService, tamper } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Books, openBooks, startLedger } from './books.ts';
import { addEvents, settleTables } from './long-books.ts';
import { type Interference, interfereWith } from './statement-hook.ts';

let service: TestService;
let user: TestClient;
let interference: Interference;
beforeAll(async () => {
  ({ service, user } = await startLedger());
  interference = interfereWith(service.store);
});
afterAll(async () => {
  await service.close();
});

const drafts = 200;
const history = 4_000;

interface CloseCost {
  /** Rows of the ledger's tables that the transaction read. */
  readonly rows: number;
  /** Locks that ANALYZE takes, and nothing else in a close. */
  readonly analyzed: number;
}

const costSoFar = sql<CloseCost>`
  SELECT sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int AS rows, (SELECT count(*)::int FROM pg_locks
    WHERE pid = pg_backend_pid() AND mode = 'ShareUpdateExclusiveLock') AS analyzed
  FROM pg_stat_xact_user_tables WHERE relname LIKE 'ledger\\_%'`;

/** Closes March with `drafts` drafts, and returns what the transaction had cost before its last statement. */
async function costOfClose(book: Books): Promise<CloseCost> {
  const costs = new Map<Transaction, CloseCost>();
  let closing: Transaction | undefined;
  interference.beforeStatement = async (text, tx) => {
    if (tx.scope === 'kernel' || tx.graphId !== book.graph) return;
    if (text.includes("UPDATE ledger_entry SET status = 'posted'")) closing = tx;
    const [cost] = await tx.query(costSoFar);
    if (cost !== undefined) costs.set(tx, cost);
  };
  const closed = await book.operation('close-period', { period: '2026-03' });
  interference.beforeStatement = undefined;
  expect(closed.body.result?.entries_posted, JSON.stringify(closed.body)).toBe(drafts);
  const cost = closing === undefined ? undefined : costs.get(closing);
  if (cost === undefined) throw new Error('No statement posted the drafts.');
  return cost;
}

/** Adds drafts of March to a graph. */
const addDrafts = (book: Books, count: number): Promise<void> =>
  addEvents(service.store, book, { from: 1_001, to: 1_000 + count, status: 'draft', day: '2026-03-15' });

describe('close-period', () => {
  it('reads rows in proportion to its drafts and gathers no statistics, whatever the others have (ledger L-158)', {
    timeout: 300_000,
  }, async () => {
    const [small, neighbor, old] = [await openBooks(user), await openBooks(user), await openBooks(user)];
    await addDrafts(small, drafts);
    const alone = await costOfClose(small);
    await addDrafts(neighbor, history);
    await settleTables(service.store);
    await tamper(
      service.store,
      `UPDATE ledger_entry SET status = 'posted', posted_at = now() WHERE graph_id = '${neighbor.graph}';
      UPDATE ledger_line_item SET is_landed = true WHERE graph_id = '${neighbor.graph}'`,
    );
    await addEvents(service.store, old, { from: 10_001, to: 10_000 + history });
    await addDrafts(old, drafts);
    const crowded = await costOfClose(old);
    expect(alone.rows).toBeGreaterThan(drafts);
    expect(crowded.rows).toBeLessThan(1.2 * alone.rows);
    expect([alone.analyzed, crowded.analyzed]).toEqual([0, 0]);
  });
});

describe('ledger_gather_statistics', () => {
  it('leaves a table that has grown by a tenth, and gathers statistics of one that has doubled', async () => {
    const book = await openBooks(user);
    const gathered = async (): Promise<number> => {
      const [row] = await service.store.transaction({ graphId: book.graph }, async (tx) => {
        await tx.query(sql`SELECT ledger_gather_statistics()`);
        return tx.query(
          sql<{ rows: number }>`SELECT reltuples::int AS rows FROM pg_class WHERE relname = 'ledger_event'`,
        );
      });
      return row?.rows ?? 0;
    };
    await addEvents(service.store, book, { from: 1, to: 1_000 });
    await settleTables(service.store);
    const known = await gathered();
    expect(known).toBeGreaterThanOrEqual(1_000);
    await addEvents(service.store, book, { from: 1_001, to: 1_000 + Math.floor(known / 10) });
    expect(await gathered()).toBe(known);
    await addEvents(service.store, book, { from: 20_001, to: 20_000 + 3 * known });
    expect(await gathered()).toBeGreaterThan(3 * known);
  });
});
