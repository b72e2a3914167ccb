import { kernel, sql, type Transaction } from '@pacioli/core';
import type { TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DraftWrites } from '../src/journal/draft-writes.ts';
import { type LockedMonths, lockMonthExclusive, requestMonths } from '../src/journal/locked-months.ts';
import type { LedgerEntry } from '../src/rows.gen.ts';
import { type Books, done, entry, openBooks, startLedger } from './books.ts';

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

const conflict = { kind: 'conflict', code: 'WRITE_CONFLICT' };
const fields = { postingDate: '2026-04-10', memo: null, type: 'standard' };
const by = { userId: 'user_1', now: new Date('2026-04-01T12:00:00Z') };
const drafts = () => new DraftWrites(service.service.services.resolve(kernel.ids));
const inBooks = <T>(work: (tx: Transaction) => Promise<T>) => service.store.transaction({ graphId: book.graph }, work);

const march = '2026-03-10';

interface Draft {
  readonly id: string;
  readonly eventId: string;
}

type Change = (locked: LockedMonths, draft: Draft) => Promise<void>;

/** Records a draft in March. */
async function marchDraft(): Promise<Draft> {
  const lineItems = [
    { element_id: book.id('1000'), debit_amount: 100, credit_amount: 0 },
    { element_id: book.id('4000'), debit_amount: 0, credit_amount: 100 },
  ];
  const metadata = { posting_date: march, memo: 'test', status: 'draft', line_items: lineItems };
  const { id: eventId } = await done(book, 'create-event-block', entry(book, march, [], { metadata }));
  const [row] = await inBooks((tx) =>
    tx.query(
      sql<
        Pick<LedgerEntry, 'id'>
      >`SELECT id FROM ledger_entry WHERE graph_id = ${tx.graphId} AND event_id = ${eventId}`,
    ),
  );
  if (row === undefined) throw new Error('The event has no draft.');
  return { id: row.id, eventId };
}

async function draftLines(id: string): Promise<number> {
  const rows = await inBooks((tx) =>
    tx.query(sql`SELECT FROM ledger_line_item WHERE graph_id = ${tx.graphId} AND entry_id = ${id}`),
  );
  return rows.length;
}

describe('locked months', () => {
  it('refuse a write to a month that the transaction has not locked with a retryable conflict (ledger L-150)', async () => {
    const refused = inBooks(async (tx) => {
      const { months, granted } = requestMonths(tx, ['2026-03-10', '2026-05-31']);
      await granted;
      await drafts().update(months, 'je_1', fields, by);
    });
    await expect(refused).rejects.toMatchObject(conflict);
  });

  it.each([
    ['deletes', (locked, draft) => drafts().remove(locked, [draft.id], by)],
    ['retracts', (locked, draft) => drafts().retract(locked, draft.eventId, by)],
    ['restates', (locked, draft) => drafts().removeForRestating(locked, draft.eventId, by)],
    ['replaces', (locked, draft) => drafts().replaceLines(locked, { id: draft.id, posting_date: march }, [])],
  ] as readonly [string, Change][])(
    'refuse a change that %s a draft of a month that is not locked (ledger L-150)',
    async (_, change) => {
      const draft = await marchDraft();
      const refused = inBooks(async (tx) => {
        const { months, granted } = requestMonths(tx, ['2026-05-31']);
        await granted;
        await change(months, draft);
      });
      await expect(refused).rejects.toMatchObject(conflict);
      expect(await draftLines(draft.id)).toBe(2);
    },
  );

  it('cover every day of the months that were locked, and of no other', async () => {
    const covered = await inBooks(async (tx) => {
      const shared = requestMonths(tx, ['2026-03-10', '2026-05-31']);
      await shared.granted;
      const exclusive = await lockMonthExclusive(tx, '2026-04');
      return [
        shared.months.covers(['2026-03-01', '2026-05-01']),
        shared.months.covers(['2026-03-01', '2026-04-01']),
        exclusive.covers(['2026-04-01', '2026-04-30']),
        exclusive.covers(['2026-05-01']),
        requestMonths(tx, []).months.covers([]),
      ];
    });
    expect(covered).toEqual([true, false, true, false, true]);
  });

  it('cannot be replaced by a bare transaction, which the compiler refuses', async () => {
    const unlocked = inBooks(async (tx) => {
      // @ts-expect-error A transaction alone does not show which months it has locked.
      await drafts().update(tx, 'je_1', fields, by);
    });
    await expect(unlocked).rejects.toThrow(TypeError);
  });

  it('cannot be made from an object of the same shape, which the compiler refuses', async () => {
    const forged = inBooks(async (tx) => {
      const months = { tx, covers: () => true, requireCovers: () => undefined };
      // @ts-expect-error Only the functions that take the locks make locked months.
      return drafts().update(months, 'je_1', fields, by);
    });
    await expect(forged).rejects.toThrow('The locked draft no longer exists.');
  });
});
