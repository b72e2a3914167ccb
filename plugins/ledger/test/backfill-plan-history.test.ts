/** @module-tag sessions */
import { sql } from '@pacioli/core';
import { describe, expect, it } from 'vitest';
import { type Books, type Loose, openBooks } from './books.ts';
import { audit, sale } from './close-books.ts';
import { clock, otherPlugins, service, useCloseBooks, user } from './close-fixture.ts';

useCloseBooks();

const close = (book: Books, period: string) => book.operation('close-period', { period });
const backfill = async (book: Books, body: object = {}): Promise<Loose> =>
  (await book.operation('backfill-plan-history', body)).body.result;

async function closedBooks(): Promise<Books> {
  clock.set('2026-06-02T12:00:00Z');
  const book = await openBooks(user);
  for (const month of ['2026-03', '2026-04', '2026-05']) {
    await sale(book, `${month}-10`, 500);
    await close(book, month);
  }
  return book;
}

describe('backfill-plan-history', () => {
  it('reopens and closes each month in order, without moving the calendar, and is audited (reporting Q-24)', async () => {
    const book = await closedBooks();
    const asked: string[] = [];
    otherPlugins.stamp = async ({ month, wasReclose }) => {
      asked.push(`${month.period} ${wasReclose}`);
      return { statements_stamped: true, stamped_statement_sets: {}, statement_rule_summary: { pass: 2 } };
    };
    const answer = await backfill(book, { max_periods: 2, note: 'plan' });
    expect(answer).toMatchObject({
      earliest_available_period: '2026-03',
      closed_through: '2026-05',
      processed: [
        { period: '2026-03', status: 'stamped', statements_stamped: true, statement_rule_summary: { pass: 2 } },
        { period: '2026-04', status: 'stamped', statements_stamped: true },
      ],
      remaining_periods: ['2026-05'],
      fiscal_calendar: { closed_through: '2026-05' },
    });
    expect(asked).toEqual(['2026-03 true', '2026-04 true']);
    expect(otherPlugins.reopened).toEqual(['2026-03', '2026-04']);
    const moves = (await audit(service, book)).filter(({ note }) => note?.includes('plan'));
    expect(moves.map(({ type, period, from_value, to_value }) => [type, period, from_value, to_value])).toEqual([
      ['period_reopened', '2026-03', '2026-05', '2026-05'],
      ['period_closed', '2026-03', '2026-05', '2026-05'],
      ['period_reopened', '2026-04', '2026-05', '2026-05'],
      ['period_closed', '2026-04', '2026-05', '2026-05'],
    ]);
  });

  it('stops at a month that cannot be closed, which stays closed as it was (reporting Q-24)', async () => {
    const book = await closedBooks();
    otherPlugins.reconciling = { count: 1, details: { reconciling_item_count: 1 } };
    const answer = await backfill(book);
    expect(answer.processed).toEqual([
      expect.objectContaining({ period: '2026-03', status: 'failed', statements_stamped: false }),
    ]);
    expect(answer.processed[0].detail).toContain('test_reconciling');
    expect(answer.remaining_periods).toEqual(['2026-04', '2026-05']);
    const { fiscalCalendar } = await book.query(
      '{ fiscalCalendar { closedThrough periods { name status hasCloseReceipt } } }',
    );
    expect(fiscalCalendar.closedThrough).toBe('2026-05');
    expect(fiscalCalendar.periods[0]).toEqual({ name: '2026-03', status: 'closed', hasCloseReceipt: true });
    const allowed = await backfill(book, { allow_reconciling_items: true, max_periods: 1 });
    expect(allowed.processed[0]).toMatchObject({ period: '2026-03', status: 'stamped' });
  });

  it('leaves out a month with drafts (reporting Q-24)', async () => {
    const book = await openBooks(user);
    await sale(book, '2026-03-10', 500);
    await close(book, '2026-03');
    await sale(book, '2026-04-10', 500);
    // As if the calendar had been closed through April from the start.
    await service.store.transaction({ graphId: book.graph }, async (tx) => {
      await tx.query(sql`UPDATE ledger_fiscal_period SET status = 'closed' WHERE name = '2026-04'`);
      await tx.query(sql`UPDATE ledger_fiscal_calendar SET closed_through = '2026-04'`);
    });
    const answer = await backfill(book, { start_period: '2026-04' });
    expect(answer.processed).toEqual([expect.objectContaining({ period: '2026-04', status: 'skipped_drafts' })]);
  });

  it('refuses books without a calendar, without a closed month and without entries (reporting Q-23)', async () => {
    const graph = await user.createGraph('Empty', ['roboledger']);
    const path = `/extensions/ledger/${graph}/operations`;
    expect((await user.post(`${path}/backfill-plan-history`, {})).status).toBe(422);
    await user.post(`${path}/initialize`, { earliest_data_period: '2026-03' });
    expect((await user.post(`${path}/backfill-plan-history`, {})).status).toBe(422);
    await user.post(`${path}/close-period`, { period: '2026-03' });
    const { status, body } = await user.post(`${path}/backfill-plan-history`, {});
    expect([status, body.detail]).toEqual([422, 'The books have no posted entries.']);
  });
});
