import blocks from '@pacioli/blocks';
import { definePlugin, type Transaction } from '@pacioli/core';
import taxonomy from '@pacioli/taxonomy';
import type { TestClient, TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import ledger, { calendar, periodBalances } from '../src/index.ts';
import { type Books, bookOf, done, entry, type Leg, openBooks, startLedger } from './books.ts';
import { monthReport } from './examples/month-report.ts';

/** A plugin that reads the books as a third party would. */
const reports = definePlugin({
  name: 'reports',
  title: 'Reports',
  version: '1.0.0',
  kernel: '^0.1.0',
  dependsOn: ['ledger', 'taxonomy'],
  queries: [monthReport],
});

let service: TestService;
let user: TestClient;
let book: Books;
beforeAll(async () => {
  ({ service, user } = await startLedger('2026-05-10T12:00:00Z', { plugins: [taxonomy, blocks, ledger, reports] }));
  book = await openBooks(user);
  await spend('2026-03-31', 1_250);
  await spend('2026-04-01', 300);
});
afterAll(() => service.close());

function spend(date: string, cents: number) {
  const legs: readonly Leg[] = [
    ['6000', cents, 0],
    ['1000', 0, cents],
  ];
  return done(book, 'create-event-block', entry(book, date, legs));
}

const read = <T>(work: (tx: Transaction) => Promise<T>, { graph } = book): Promise<T> =>
  service.store.transaction({ graphId: graph }, work);
const use = <T>(token: Parameters<typeof service.service.services.resolve<T>>[0]): T =>
  service.service.services.resolve(token);

describe('services that read the books', () => {
  it('let a plugin report a month, as in the example of the readme (ledger L-41a)', async () => {
    const report = async (day: string) =>
      (
        await book.query(`{ monthReport(day: "${day}") {
        month isClosed closedThrough currency cashCents spent { code cents } } }`)
      ).monthReport;
    const march = { month: '2026-03', currency: 'USD', cashCents: -1_250, spent: [{ code: '6000', cents: 1_250 }] };
    expect(await report('2026-03-01')).toEqual({ ...march, isClosed: false, closedThrough: null });
    await done(book, 'close-period', { period: '2026-03' });
    expect(await report('2026-03-31')).toEqual({ ...march, isClosed: true, closedThrough: '2026-03' });
    expect(await report('2026-04-30')).toMatchObject({
      month: '2026-04',
      isClosed: false,
      cashCents: -1_550,
      spent: [{ code: '6000', cents: 300 }],
    });
  });

  it('return the trial balance of the query in minor units (ledger L-39, L-41a)', async () => {
    const all = await read((tx) => use(periodBalances).trialBalance(tx, { start: null, end: null }));
    expect(all.total).toEqual({ debit: 1_550n, credit: 1_550n });
    expect(all.foreign).toEqual([]);
    const { trialBalance } = await book.query(
      '{ trialBalance { rows { accountId accountCode totalDebits totalCredits } } }',
    );
    expect(
      all.rows.map(({ account, debit, credit }) => ({
        accountId: account.id,
        accountCode: account.code,
        totalDebits: Number(debit) / 100,
        totalCredits: Number(credit) / 100,
      })),
    ).toEqual(trialBalance.rows);
    const none = await read((tx) => use(periodBalances).trialBalance(tx, { start: '2026-05-01', end: null }));
    expect([none.rows, none.total]).toEqual([[], { debit: 0n, credit: 0n }]);
  });

  it('return the months of the calendar, with those that have no row yet (ledger L-17, L-41a)', async () => {
    const now = new Date('2026-05-10T12:00:00Z');
    const state = await read((tx) => use(calendar).state(tx, now));
    const { fiscalCalendar } = await book.query(
      '{ fiscalCalendar { closedThrough closeTarget periods { name status startDate endDate } } }',
    );
    expect(state).toEqual({
      fiscalYearStartMonth: 1,
      closedThrough: fiscalCalendar.closedThrough,
      closeTarget: fiscalCalendar.closeTarget,
      months: fiscalCalendar.periods.map((each: Record<string, string>) => ({
        period: each['name'],
        start: each['startDate'],
        end: each['endDate'],
        isClosed: each['status'] === 'closed',
      })),
    });
    expect(state?.months.map(({ period }) => period)).toEqual(['2026-03', '2026-04', '2026-05']);
  });

  it('treat every month as open before initialize, and refuse a day that does not exist (ledger L-18, L-41a)', async () => {
    const fresh = await bookOf(user, await user.createGraph('New', ['roboledger']));
    expect(await read((tx) => use(calendar).state(tx, new Date()), fresh)).toBeUndefined();
    expect(await read((tx) => use(calendar).monthOf(tx, '2026-02-28'), fresh)).toEqual({
      period: '2026-02',
      start: '2026-02-01',
      end: '2026-02-28',
      isClosed: false,
    });
    await expect(read((tx) => use(calendar).monthOf(tx, '2026-02-29'))).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
  });
});
