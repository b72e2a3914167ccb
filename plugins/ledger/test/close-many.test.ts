/** @module-tag sessions */
import { type Store, sql, type Transaction } from '@pacioli/core';
import type { TestClient, TestService } from '@pacioli/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { LedgerEntry } from '../src/rows.gen.ts';
import { type Books, openBooks } from './books.ts';
import { sale, startCloseService } from './close-books.ts';

let service: TestService;
let user: TestClient;
beforeAll(async () => {
  ({ service, user } = await startCloseService());
});
afterEach(() => {
  vi.restoreAllMocks();
});
afterAll(async () => {
  await service.close();
});

const drafts = 3_000;

/** Copies one draft, with its event and transaction, in SQL, because the test is not about how drafts are made. */
async function multiply(book: Books, count: number): Promise<void> {
  await sale(book, '2026-03-15', 100);
  await service.store.transaction({ graphId: book.graph }, async (tx) => {
    for (const [table, renamed] of [
      ['ledger_event', ['id']],
      ['ledger_transaction', ['id', 'event_id']],
      ['ledger_entry', ['id', 'transaction_id', 'event_id']],
      ['ledger_line_item', ['id', 'entry_id']],
    ] as const) {
      const copy = renamed.map((column) => sql`${column}::text, t.${sql.ref(column)} || '_' || n`);
      await tx.query(sql`
        INSERT INTO ${sql.table(table)}
        SELECT r.* FROM ${sql.table(table)} AS t, generate_series(2, ${count}) AS n,
          LATERAL jsonb_populate_record(t, jsonb_build_object(${sql.join(copy)})) AS r WHERE t.graph_id = ${book.graph}`);
    }
  });
}

/** Counts the rows that statements return to this process: the most of any one statement. */
function watchRows(store: Store): { most: number } {
  const seen = { most: 0 };
  const original = store.transaction.bind(store);
  vi.spyOn(store, 'transaction').mockImplementation((scope, work, options) =>
    original(
      scope,
      (tx) => {
        const watched: Transaction = {
          scope: tx.scope,
          get graphId() {
            return tx.graphId;
          },
          query: async (statement) => {
            const rows = await tx.query(statement);
            seen.most = Math.max(seen.most, rows.length);
            return rows;
          },
          tables: () => tx.tables(),
          stream: (statement, rowsPerBatch) => tx.stream(statement, rowsPerBatch),
          queryAtEnd: (statement) => tx.queryAtEnd(statement),
        };
        return work(watched);
      },
      options,
    ),
  );
  return seen;
}

describe('close-period with thousands of drafts', () => {
  it('lists the first thousand drafts with totals over all, and closes without fetching the drafts (ledger L-158, L-173)', {
    timeout: 300_000,
  }, async () => {
    const book = await openBooks(user);
    await multiply(book, drafts);
    const { periodDrafts } = await book.query(
      '{ periodDrafts(period: "2026-03") { draftCount totalDebit allBalanced drafts { totalDebit } } }',
    );
    expect(periodDrafts).toMatchObject({ draftCount: drafts, totalDebit: drafts * 100, allBalanced: true });
    expect(periodDrafts.drafts).toHaveLength(1_000);
    const seen = watchRows(service.store);
    const answer = await book.operation('close-period', { period: '2026-03' });
    vi.restoreAllMocks();
    expect(answer.body.result).toMatchObject({ entries_posted: drafts, entries_posted_locally: drafts });
    expect(seen.most).toBeGreaterThan(0);
    expect(seen.most).toBeLessThan(200);
    const states = await service.store.transaction({ graphId: book.graph }, (tx) =>
      tx.query(sql<Pick<LedgerEntry, 'status'> & { kind: string; count: number }>`
        SELECT 'entry' AS kind, status, count(*) AS count FROM ledger_entry GROUP BY status
        UNION ALL SELECT 'event', status, count(*) FROM ledger_event GROUP BY status
        UNION ALL SELECT 'transaction', status, count(*) FROM ledger_transaction GROUP BY status ORDER BY kind`),
    );
    expect(states).toEqual([
      { kind: 'entry', status: 'posted', count: drafts },
      { kind: 'event', status: 'committed', count: drafts },
      { kind: 'transaction', status: 'posted', count: drafts },
    ]);
    expect(await book.query('{ trialBalance { totalDebits totalCredits } }')).toEqual({
      trialBalance: { totalDebits: drafts, totalCredits: drafts },
    });
  });
});
