/** @module-tag sessions */
import { StoreError, sql } from '@pacioli/core';
import type { Answer } from '@pacioli/testing';
import { describe, expect, it } from 'vitest';
import type { LedgerFiscalPeriod } from '../src/rows.gen.ts';
import { type Books, type Loose, openBooks } from './books.ts';
import { audit, draft, sale } from './close-books.ts';
import { clock, otherPlugins, service, useCloseBooks, user } from './close-fixture.ts';
import { withoutChange } from './expect-refused.ts';

useCloseBooks();

const close = (book: Books, period: string) => book.operation('close-period', { period });
const reopen = (book: Books, period: string, more: object = {}) =>
  book.operation('reopen-period', { period, reason: 'A bill came late', ...more });

/** Opens books with closed months from March through this one; the clock is in the month after. */
async function closedThrough(last: string): Promise<Books> {
  const book = await openBooks(user);
  for (const period of ['2026-03', '2026-04', '2026-05'].filter((month) => month <= last)) {
    await sale(book, `${period}-15`, 1_000);
    clock.set(`2026-0${Number(period.slice(5)) + 1}-01T12:00:00Z`);
    const answer = await close(book, period);
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  }
  return book;
}

const calendar =
  '{ fiscalCalendar { closedThrough closeTarget blockers periods { name status hasCloseReceipt closedAt } } }';

const refused = (book: Books, send: () => Promise<Answer>) => withoutChange(service, book.graph, send);

describe('reopen-period', () => {
  it('moves closed_through back, keeps the target and the entries, and is audited (ledger L-169, L-193)', async () => {
    const book = await closedThrough('2026-04');
    await book.operation('set-close-target', { period: '2026-04' });
    clock.advance(1_000);
    const before = await book.query('{ trialBalance { totalDebits rows { accountCode netBalance } } }');
    const answer = await reopen(book, '2026-04', { note: 'again' });
    expect(answer.body.result).toMatchObject({
      closed_through: '2026-03',
      close_target: '2026-04',
      catch_up_sequence: ['2026-04'],
      closeable_now: true,
    });
    expect(otherPlugins.reopened).toEqual(['2026-04']);
    expect(await book.query('{ trialBalance { totalDebits rows { accountCode netBalance } } }')).toEqual(before);
    const { fiscalCalendar } = await book.query(calendar);
    expect(fiscalCalendar.periods.find((period: Loose) => period.name === '2026-04')).toEqual({
      name: '2026-04',
      status: 'closing',
      hasCloseReceipt: false,
      closedAt: null,
    });
    expect((await audit(service, book)).at(-1)).toEqual({
      type: 'period_reopened',
      period: '2026-04',
      from_value: '2026-04',
      to_value: '2026-03',
      actor_type: 'user',
      reason: 'A bill came late',
      note: 'again',
    });
    // The month accepts entries again, and the receipt of its next close says that it is a re-close.
    await sale(book, '2026-04-20', 500);
    clock.advance(1_000);
    const again = await close(book, '2026-04');
    expect(again.body.result).toMatchObject({ entries_posted: 1, fiscal_calendar: { closed_through: '2026-04' } });
    const { periodCloseStatus } = await book.query(
      '{ periodCloseStatus(periodStart: "2026-04-01", periodEnd: "2026-04-30") { closeReceipt { wasReclose entriesPosted } } }',
    );
    expect(periodCloseStatus.closeReceipt).toEqual({ wasReclose: true, entriesPosted: 1 });
  });

  it('keeps the receipt of the previous close in an append-only history (ledger L-169)', async () => {
    const book = await closedThrough('2026-03');
    await reopen(book, '2026-03');
    const kept = await service.store.transaction({ graphId: book.graph }, (tx) =>
      tx.query(sql<Loose>`SELECT period, receipt FROM ledger_close_receipt_history`),
    );
    expect(kept).toMatchObject([{ period: '2026-03', receipt: { was_reclose: false, entries_posted: 1 } }]);
    for (const statement of [
      sql`UPDATE ledger_close_receipt_history SET period = '2026-04'`,
      sql`DELETE FROM ledger_calendar_event`,
    ]) {
      const change = service.store.transaction({ graphId: book.graph }, (tx) => tx.query(statement));
      const error = await change.then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      expect(error instanceof StoreError ? error.constraint : error).toBe('ledger_calendar_audit_append_only');
    }
  });

  it('reopens only the latest closed month, and names the months to reopen first, newest first (ledger L-168)', async () => {
    const book = await closedThrough('2026-05');
    const answer = await refused(book, () => reopen(book, '2026-03'));
    expect([answer.status, answer.body.detail]).toEqual([
      422,
      "Period '2026-03' is not the latest closed month: reopen 2026-05, 2026-04 first.",
    ]);
    expect(answer.body.details).toEqual({ reopen_first: ['2026-05', '2026-04'] });
  });

  it('requires a reason and a closed month of the calendar (ledger L-167)', async () => {
    const book = await closedThrough('2026-03');
    for (const [body, status, detail] of [
      [{ period: '2026-03', reason: '  ' }, 422, 'reason: say why the month is reopened.'],
      [{ period: '2026-04' }, 422, "Period '2026-04' is not closed (status='open')."],
      [{ period: '2026-02' }, 404, "Fiscal period '2026-02' not found."],
    ] as const) {
      const answer = await refused(book, () => reopen(book, body.period, body));
      expect([answer.status, answer.body.detail]).toEqual([status, detail]);
    }
    await reopen(book, '2026-03');
    const twice = await refused(book, () => reopen(book, '2026-03'));
    expect(twice.body.detail).toBe("Period '2026-03' is not closed (status='closing').");
    expect((await book.query(calendar)).fiscalCalendar.closedThrough).toBeNull();
  });

  it('makes the reopened months the next to close, oldest first (ledger L-170, L-209)', async () => {
    const book = await closedThrough('2026-05');
    await reopen(book, '2026-05');
    await reopen(book, '2026-04');
    const tooEarly = await refused(book, () => close(book, '2026-05'));
    expect(tooEarly.body.details.blockers).toEqual(['sequence_violation']);
    clock.advance(1_000);
    expect((await close(book, '2026-04')).body.result.fiscal_calendar.closed_through).toBe('2026-04');
    expect((await close(book, '2026-05')).body.result.fiscal_calendar.closed_through).toBe('2026-05');
  });

  it('leaves closed_through unchanged when a month before other closed months is closed again (ledger L-158, L-170)', async () => {
    const book = await closedThrough('2026-04');
    // As after a backfill: any month, with closed_through unchanged.
    await service.store.transaction({ graphId: book.graph }, (tx) =>
      tx.query(sql`UPDATE ledger_fiscal_period SET status = 'closing' WHERE name = '2026-03'`),
    );
    clock.advance(1_000);
    const answer = await close(book, '2026-03');
    expect(answer.body.result.fiscal_calendar).toMatchObject({ closed_through: '2026-04' });
    expect((await audit(service, book)).at(-1)).toMatchObject({
      type: 'period_closed',
      period: '2026-03',
      from_value: '2026-04',
      to_value: '2026-04',
      note: 'Re-close of previously reopened period',
    });
  });

  it('restores balances and closed_through when the month is closed again without a write in between (ledger L-200)', async () => {
    const book = await closedThrough('2026-04');
    const read = `{ fiscalCalendar { closedThrough closeTarget } trialBalance { rows { accountCode totalDebits totalCredits } } }`;
    const before = await book.query(read);
    await reopen(book, '2026-04');
    clock.advance(1_000);
    await close(book, '2026-04');
    expect(await book.query(read)).toEqual(before);
  });
});

describe('analytical graph', () => {
  it('marks the analytical graph stale after a close or a reopening, with the reason (ledger L-10)', async () => {
    const book = await openBooks(user);
    const reasonAfter = async (send: () => Promise<Loose>): Promise<string | undefined> => {
      await service.store.transaction('kernel', (tx) =>
        tx.query(sql`UPDATE kernel_graph SET stale_since = NULL, stale_reason = NULL WHERE graph_id = ${book.graph}`),
      );
      expect((await send()).status).toBe(200);
      const [row] = await service.store.transaction('kernel', (tx) =>
        tx.query(sql<Loose>`SELECT stale_reason FROM kernel_graph WHERE graph_id = ${book.graph}`),
      );
      return row?.stale_reason ?? undefined;
    };
    expect(await reasonAfter(() => close(book, '2026-03'))).toBe('period_closed');
    expect(await reasonAfter(() => reopen(book, '2026-03'))).toBe('period_reopened');
    expect(await reasonAfter(() => book.operation('set-close-target', { period: '2026-03' }))).toBeUndefined();
  });
});

describe('fiscalCalendar periods', () => {
  it('includes the current month and later posting dates in the calendar, and adds their rows at the next close (ledger L-17)', async () => {
    const book = await openBooks(user);
    clock.set('2026-07-10T12:00:00Z');
    await sale(book, '2026-09-01', 100);
    const names = (await book.query(calendar)).fiscalCalendar.periods.map((period: Loose) => period.name);
    expect(names).toEqual(['2026-03', '2026-04', '2026-05', '2026-06', '2026-07', '2026-08', '2026-09']);
    expect((await close(book, '2026-03')).status).toBe(200);
    const rows = await service.store.transaction({ graphId: book.graph }, (tx) =>
      tx.query(sql<Pick<LedgerFiscalPeriod, 'name'>>`SELECT name FROM ledger_fiscal_period ORDER BY name`),
    );
    expect(rows.map((row) => row.name)).toEqual(names);
  });

  it('treats months before the first row as open, to be closed first when they have entries (ledger L-17)', async () => {
    const book = await openBooks(user);
    await sale(book, '2026-01-20', 100);
    await book.operation('set-close-target', { period: '2026-03' });
    const { fiscalCalendar } = await book.query('{ fiscalCalendar { catchUpSequence periods { name status } } }');
    expect(fiscalCalendar.catchUpSequence).toEqual(['2026-01', '2026-02', '2026-03']);
    const early = await refused(book, () => close(book, '2026-03'));
    expect(early.body.details.blockers).toEqual(['sequence_violation']);
    for (const period of ['2026-01', '2026-02', '2026-03']) expect((await close(book, period)).status).toBe(200);
    const older = draft(book, '2025-12-31', [
      ['1000', 1, 0],
      ['4000', 0, 1],
    ]);
    const late = await refused(book, () => book.operation('create-event-block', older));
    expect([late.status, late.body.detail]).toEqual([
      422,
      "Cannot write to closed period '2025-12' (posting_date=2025-12-31). The calendar begins with 2026-01, and no period before it can be reopened. Use a date in an open period.",
    ]);
  });
});
