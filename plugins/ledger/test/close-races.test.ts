/** @module-tag sessions */
import { sql } from '@pacioli/core';
import type { TestClient, TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LedgerEntry } from '../src/rows.gen.ts';
import { type Books, entry, type Loose, openBooks } from './books.ts';
import { audit, draft, sale, startCloseService } from './close-books.ts';
import { signal, timeout } from './races.ts';

let service: TestService;
let user: TestClient;
beforeAll(async () => {
  ({ service, user } = await startCloseService());
});
afterAll(async () => {
  await service.close();
});

const close = (book: Books) => book.operation('close-period', { period: '2026-03' });

const march = '2026-03-01';

/** Counts the entries of March by status. */
async function entriesOfMarch(book: Books): Promise<ReadonlyMap<string, number>> {
  const rows = await service.store.transaction({ graphId: book.graph }, (tx) =>
    tx.query(sql<Pick<LedgerEntry, 'status'> & { count: number }>`
      SELECT status, count(*) AS count FROM ledger_entry WHERE posting_date < '2026-04-01' GROUP BY status`),
  );
  return new Map(rows.map((row) => [row.status, row.count]));
}

describe('close-period under concurrency', () => {
  it('closes a month once: one concurrent caller gets 200, the others 409 or 422 (ledger L-155, L-210)', {
    timeout,
  }, async () => {
    const book = await openBooks(user);
    for (const cents of [100, 200, 300]) await sale(book, march, cents);
    const answers = await Promise.all([close(book), close(book), close(book)]);
    const statuses = answers.map((answer) => answer.status).sort();
    expect(statuses[0]).toBe(200);
    for (const status of statuses.slice(1)) expect([409, 422]).toContain(status);
    for (const { status, body } of answers.filter((answer) => answer.status !== 200)) {
      if (status === 409) expect(['ALREADY_CLOSED', 'WRITE_CONFLICT']).toContain(body.code);
      else expect(body.details.blockers).toContain('period_already_closed');
    }
    expect((await audit(service, book)).filter(({ type }) => type === 'period_closed')).toHaveLength(1);
    expect(await entriesOfMarch(book)).toEqual(new Map([['posted', 3]]));
  });

  it('posts what concurrent writers recorded before the close, and rejects what they record afterwards (ledger L-150, L-210)', {
    timeout,
  }, async () => {
    const book = await openBooks(user);
    const legs = [
      ['1000', 100, 0],
      ['4000', 0, 100],
    ] as const;
    const april = await sale(book, '2026-04-01', 500);
    const [moving] = (await book.query('{ journalEntries(status: "draft") { entries { id } } }')).journalEntries
      .entries;
    const writes = Array.from({ length: 12 }, (_, index) =>
      book.operation('create-event-block', index % 2 === 0 ? draft(book, march, legs) : entry(book, march, legs)),
    );
    const move = book.operation('update-journal-entry', { entry_id: moving.id, posting_date: '2026-03-31' });
    const closed = close(book);
    const written = await Promise.all(writes);
    const moved = await move;
    expect((await closed).status).toBe(200);
    for (const answer of [...written, moved]) expect([200, 409, 422]).toContain(answer.status);
    const taken = [...written, moved].filter((answer: Loose) => answer.status === 200).length;
    // No draft of the month is left behind, and no accepted entry is lost.
    expect(await entriesOfMarch(book)).toEqual(taken === 0 ? new Map() : new Map([['posted', taken]]));
    const { eventBlock } = await book.query(`{ eventBlock(id: "${april.id}") { status } }`);
    expect(eventBlock.status).toBe(moved.status === 200 ? 'committed' : 'classified');
    const late = await book.operation('create-event-block', draft(book, march, legs));
    expect([late.status, late.body.detail]).toEqual([422, expect.stringContaining('closed period')]);
  });

  it('leaves the month entirely closed or entirely open when it races with reopen-period (ledger L-150)', {
    timeout,
  }, async () => {
    const book = await openBooks(user);
    await sale(book, march, 100);
    expect((await close(book)).status).toBe(200);
    const [reopened, closed] = await Promise.all([
      book.operation('reopen-period', { period: '2026-03', reason: 'late bill' }),
      close(book),
    ]);
    expect(reopened.status).toBe(200);
    expect([200, 409, 422]).toContain(closed.status);
    const { fiscalCalendar } = await book.query(
      '{ fiscalCalendar { closedThrough periods { name status hasCloseReceipt } } }',
    );
    const month = fiscalCalendar.periods.find((period: Loose) => period.name === '2026-03');
    const isClosed = closed.status === 200;
    expect({ ...month, closedThrough: fiscalCalendar.closedThrough }).toEqual({
      name: '2026-03',
      status: isClosed ? 'closed' : 'closing',
      hasCloseReceipt: isClosed,
      closedThrough: isClosed ? '2026-03' : null,
    });
  });

  it('waits for a writer of the month for at most 5 seconds, then names the month (ledger L-9)', {
    timeout,
  }, async () => {
    const book = await openBooks(user);
    await sale(book, march, 100);
    const isServer = service.store.driver === 'postgres';
    const release = signal();
    const held = signal();
    const holder = service.store.transaction({ graphId: book.graph }, async (tx) => {
      await tx.query(
        sql`SELECT pg_advisory_xact_lock_shared(hashtextextended(${`pacioli.period.${book.graph}.2026-03`}, 0))`,
      );
      held.give();
      await release.given;
    });
    await held.given;
    const answered = Promise.all([close(book), book.operation('reopen-period', { period: '2026-03', reason: 'x' })]);
    // The embedded store has one session, so the callers wait for the transaction, and no lock times out.
    if (!isServer) release.give();
    const [closed, reopened] = await answered;
    release.give();
    await holder;
    if (isServer) {
      for (const answer of [closed, reopened]) {
        expect([answer.status, answer.body.detail]).toEqual([
          409,
          "Fiscal period '2026-03' is being written by another process. Retry in a moment.",
        ]);
      }
      expect(await entriesOfMarch(book)).toEqual(new Map([['draft', 1]]));
      expect((await close(book)).status).toBe(200);
    } else {
      expect(closed.status).toBe(200);
    }
    expect(await entriesOfMarch(book)).toEqual(new Map([['posted', 1]]));
  });
});
