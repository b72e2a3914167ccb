/** @module-tag sessions */
import { sql } from '@pacioli/core';
import type { FixedClock, TestClient, TestService } from '@pacioli/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { closeWarnings, journalDrafts, periodBalances } from '../src/index.ts';
import type { LedgerEntry, LedgerEntryHistory } from '../src/rows.gen.ts';
import { type Books, entry, openBooks } from './books.ts';
import { recorded, sale, startCloseService } from './close-books.ts';
import { graphDigest } from './graph-digest.ts';

let service: TestService;
let user: TestClient;
let clock: FixedClock;
beforeAll(async () => {
  ({ service, user, clock } = await startCloseService());
});
beforeEach(() => {
  clock.set('2026-04-01T12:00:00Z');
});
afterAll(async () => {
  await service.close();
});

const use = <T>(token: Parameters<typeof service.service.services.resolve<T>>[0]): T =>
  service.service.services.resolve(token);
const by = () => ({ userId: 'user_plugin', now: clock.now() });

const posted = (book: Books, date: string, cents: number) =>
  recorded(
    book,
    entry(book, date, [
      ['1000', cents, 0],
      ['4000', 0, cents],
    ]),
  );

const cash = (book: Books, date: string, recordedBy?: string) =>
  service.store.transaction({ graphId: book.graph }, async (tx) => {
    const rows = await use(periodBalances).asOf(tx, date, ...(recordedBy === undefined ? [] : [new Date(recordedBy)]));
    expect(rows.reduce((sum, { balance }) => sum + balance, 0n)).toBe(0n);
    return rows.find(({ accountId }) => accountId === book.id('1000'))?.balance ?? 0n;
  });

describe('period balances', () => {
  it('returns balances as of a posting date and as known at a point in time (ledger L-215)', async () => {
    const book = await openBooks(user);
    await posted(book, '2026-03-10', 100);
    await sale(book, '2026-03-11', 20);
    clock.set('2026-04-02T12:00:00Z');
    await posted(book, '2026-03-05', 7);
    clock.set('2026-04-03T12:00:00Z');
    expect((await book.operation('close-period', { period: '2026-03' })).status).toBe(200);
    // For each time of recording: the balances then known for March 10 and March 31.
    const known = async (at: string) => [await cash(book, '2026-03-10', at), await cash(book, '2026-03-31', at)];
    expect(await known('2026-04-01T11:59:59Z')).toEqual([0n, 0n]);
    expect(await known('2026-04-01T12:00:00Z')).toEqual([100n, 100n]);
    expect(await known('2026-04-02T12:00:00Z')).toEqual([107n, 107n]);
    expect(await known('2026-04-03T12:00:00Z')).toEqual([107n, 127n]);
    expect([await cash(book, '2026-03-10'), await cash(book, '2026-03-31')]).toEqual([107n, 127n]);
  });

  it('still returns, as of an earlier time, the balances that a restatement has replaced (ledger L-140, L-215)', async () => {
    const book = await openBooks(user);
    const { id } = await posted(book, '2026-03-10', 100);
    clock.set('2026-04-02T12:00:00Z');
    // A provider changes an event that is booked, and a user accepts the change.
    await service.store.transaction({ graphId: book.graph }, (tx) =>
      tx.query(sql`
        UPDATE ledger_event SET source = 'quickbooks', external_id = 'Sale_1', is_reconciling_item = true,
          metadata = metadata || jsonb_build_object('drift_payload', jsonb_set(metadata, '{line_items}', ${JSON.stringify(
            [
              { element_id: book.id('1000'), debit_amount: 90 },
              { element_id: book.id('4000'), credit_amount: 90 },
            ],
          )}::text::jsonb)) WHERE id = ${id}`),
    );
    const answer = await book.operation('resolve-reconciling-item', { event_id: id, disposition: 'restate' });
    expect([answer.status, answer.body.detail]).toEqual([200, undefined]);
    expect(await cash(book, '2026-03-31', '2026-04-01T12:00:00Z')).toBe(100n);
    expect(await cash(book, '2026-03-31', '2026-04-02T12:00:00Z')).toBe(90n);
    expect(await cash(book, '2026-03-31')).toBe(90n);
  });

  it('rejects an asserted balance that differs, and names both amounts (ledger L-217)', async () => {
    const book = await openBooks(user);
    await posted(book, '2026-03-10', 1_000);
    const check = (accountId: string, date: string, amount: bigint) =>
      service.store.transaction({ graphId: book.graph }, (tx) =>
        use(periodBalances).assertBalance(tx, { accountId, date, amount }),
      );
    await check(book.id('1000'), '2026-03-10', 1_000n);
    await check(book.id('1000'), '2026-03-09', 0n);
    await check(book.id('4000'), '2026-03-31', -1_000n);
    await expect(check(book.id('1000'), '2026-03-31', 990n)).rejects.toMatchObject({
      code: 'BALANCE_DIFFERS',
      message: expect.stringContaining('has a balance of 1000 minor units at the end of 2026-03-31, not 990.'),
      details: { expected: '990', found: '1000', difference: '10' },
    });
    await expect(check('elem_none', '2026-03-31', 0n)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(check(book.id('1000'), '2026-02-30', 0n)).rejects.toThrow(/is not a calendar date/);
  });
});

describe('draft versions', () => {
  it('rejects a change of a draft by a caller who has read an older version (ledger L-216)', async () => {
    const book = await openBooks(user);
    await sale(book, '2026-03-10', 100);
    const [row] = await service.store.transaction({ graphId: book.graph }, (tx) =>
      tx.query(sql<Pick<LedgerEntry, 'id'>>`SELECT id FROM ledger_entry`),
    );
    const entryId = row?.id ?? '';
    const change = (version: number | undefined, memo: string) =>
      service.store.transaction({ graphId: book.graph }, (tx) =>
        use(journalDrafts).change(tx, { entryId, memo, ...(version === undefined ? {} : { version }) }, by()),
      );
    expect(await change(1, 'first')).toBe(2);
    const memo = '{ journalEntries { entries { memo } } }';
    const before = [await graphDigest(service.store, book.graph), await book.query(memo)];
    await expect(change(1, 'late')).rejects.toMatchObject({
      code: 'VERSION_CHANGED',
      message: `Journal entry ${entryId} is at version 2, not 1. Read it again, then retry.`,
    });
    expect([await graphDigest(service.store, book.graph), await book.query(memo)]).toEqual(before);
    const version = await service.store.transaction({ graphId: book.graph }, (tx) =>
      use(journalDrafts).version(tx, entryId),
    );
    expect(await change(version, 'second')).toBe(3);
    expect(await change(undefined, 'third')).toBe(4);
    // Of several callers who read the same version, one succeeds.
    const results = await Promise.allSettled(['a', 'b', 'c'].map((text) => change(4, text)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const kept = await service.store.transaction({ graphId: book.graph }, (tx) =>
      tx.query(sql<Pick<LedgerEntryHistory, 'version'> & { memo: string }>`
        SELECT version, content->'entry'->>'memo' AS memo FROM ledger_entry_history ORDER BY version`),
    );
    expect(kept).toEqual(
      ['test', 'first', 'second', 'third'].map((text, index) => ({ version: index + 1, memo: text })),
    );
  });
});

describe('period warnings', () => {
  it('warns of events without entries, which do not block a close (ledger L-154)', async () => {
    const book = await openBooks(user);
    const warnings = (period: string) =>
      service.store.transaction({ graphId: book.graph }, (tx) => use(closeWarnings).warnings(tx, period));
    await sale(book, '2026-03-10', 100);
    expect(await warnings('2026-03')).toEqual([]);
    const captured = { ...entry(book, '2026-03-31', []), occurred_at: '2026-03-31T23:59:59Z', apply_handlers: false };
    const first = await recorded(book, captured);
    await recorded(book, { ...captured, occurred_at: '2026-04-01T00:00:00Z' });
    expect(await warnings('2026-03')).toEqual([{ code: 'unposted_events', count: 1, sample: [first.id] }]);
    expect((await book.operation('close-period', { period: '2026-03' })).status).toBe(200);
    await book.operation('update-event-block', { event_id: first.id, transition_to: 'voided' });
    expect(await warnings('2026-03')).toEqual([]);
  });
});
