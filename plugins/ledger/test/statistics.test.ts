/** @module-tag sessions */
// Goal: long statements are planned with current statistics, also for a graph that is newer than the last statistics.
// Method: the row count that the engine reports for a table, after rows were written without an ANALYZE.
import { sql } from '@pacioli/core';
import type { TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Books, openBooks, startLedger } from './books.ts';

let service: TestService;
let book: Books;
beforeAll(async () => {
  const started = await startLedger();
  service = started.service;
  book = await openBooks(started.user);
});
afterAll(async () => {
  await service.close();
});

const events = 300;

describe('close-period', () => {
  it('updates the statistics of the planner with the rows of its graph first (ledger L-158)', async () => {
    const inGraph = <T>(statement: ReturnType<typeof sql<T>>) =>
      service.store.transaction({ graphId: book.graph }, (tx) => tx.query(statement));
    const known = async (): Promise<number> => {
      const [row] = await inGraph(
        sql<{ rows: number }>`SELECT reltuples::int AS rows FROM pg_class WHERE relname = 'ledger_event'`,
      );
      return row?.rows ?? 0;
    };
    await inGraph(sql`
      INSERT INTO ledger_event (graph_id, id, event_type, event_class, event_category, status, occurred_at, source,
        currency, metadata, created_at, created_by)
      SELECT ${book.graph}, 'evt_' || n, 'order_received', 'economic', 'sales', 'captured', now(), 'manual', 'USD', '{}',
        now(), 'user_1' FROM generate_series(1, ${events}::integer) AS n`);
    expect(await known()).toBeLessThan(events);
    const closed = await book.operation('close-period', { period: '2026-03' });
    expect([closed.status, closed.body.detail]).toEqual([200, undefined]);
    expect(await known()).toBeGreaterThanOrEqual(events);
  });
});
