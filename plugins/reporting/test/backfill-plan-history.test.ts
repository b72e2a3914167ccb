/** @module-tag sessions */
// Goal: months that were closed without statements get them, in any number of calls, and nothing else changes.
// Method: a real service over HTTP; the statements of closed months are deleted as if reports had come later.
import { sql } from '@pacioli/core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type ExampleBooks,
  type Loose,
  openExampleBooks,
  postExample,
  type ReportingService,
  startReporting,
} from './example-books.ts';

let reporting: ReportingService;
let books: ExampleBooks;
beforeAll(async () => {
  reporting = await startReporting();
});
afterAll(() => reporting.service.close());

const inGraph = (statement: ReturnType<typeof sql>) =>
  reporting.service.store.transaction({ graphId: books.graph }, (tx) => tx.query(statement));
const backfill = (body: object = {}): Promise<Loose> => books.done('backfill-plan-history', body);
const statusesOf = (answer: Loose) => answer.processed.map(({ period, status }: Loose) => [period, status]);

/** The newest set of each month, by its statement. */
async function stampedMonths(): Promise<readonly string[]> {
  const rows = await inGraph(sql`SELECT DISTINCT to_char(period_end, 'YYYY-MM') AS month FROM blocks_fact_set
    WHERE factset_type = 'report' AND report_id IS NULL ORDER BY 1`);
  return (rows as readonly { month: string }[]).map(({ month }) => month);
}

beforeEach(async () => {
  books = await openExampleBooks(reporting.user);
  await postExample(books);
  for (const period of ['2026-02', '2026-03', '2026-04']) await books.done('close-period', { period });
  await inGraph(sql`DELETE FROM blocks_fact_set WHERE period_end < '2026-04-01'`);
});

describe('backfill-plan-history', () => {
  it('stamps the months without statements, oldest first, and repeats to no effect (reporting Q-24)', async () => {
    const first = await backfill({ max_periods: 1 });
    expect(first).toMatchObject({
      earliest_available_period: '2026-02',
      effective_start_period: '2026-02',
      closed_through: '2026-04',
      period_rows_created: 0,
      processed: [{ period: '2026-02', status: 'stamped', statements_stamped: true, statement_stamp_note: null }],
      remaining_periods: ['2026-03'],
      fiscal_calendar: { closed_through: '2026-04' },
    });
    const second = await backfill();
    expect(statusesOf(second)).toEqual([['2026-03', 'stamped']]);
    expect(second.processed[0].statement_rule_summary).toMatchObject({ fail: 0, error: 0 });
    expect(await stampedMonths()).toEqual(['2026-02', '2026-03', '2026-04']);
    expect(await backfill()).toMatchObject({ processed: [], remaining_periods: [] });
    const { fiscalCalendar } = await books.query('{ fiscalCalendar { closedThrough periods { name status } } }');
    expect(fiscalCalendar.closedThrough).toBe('2026-04');
    expect(fiscalCalendar.periods.slice(0, 3).map(({ status }: Loose) => status)).toEqual([
      'closed',
      'closed',
      'closed',
    ]);
  });

  it('starts at the first month with entries, or later, and closes stamped months again on request (reporting Q-23)', async () => {
    const answer = await backfill({ start_period: '2025-01', restamp: true });
    expect(answer.effective_start_period).toBe('2026-02');
    expect(statusesOf(answer).map(([period]: string[]) => period)).toEqual(['2026-02', '2026-03', '2026-04']);
    const later = await backfill({ start_period: '2026-04', restamp: true });
    expect(statusesOf(later)).toEqual([['2026-04', 'stamped']]);
  });

  it('creates the row of a month that was closed before the calendar began (reporting Q-24)', async () => {
    await inGraph(sql`DELETE FROM ledger_fiscal_period WHERE name < '2026-04'`);
    const answer = await backfill();
    expect(answer.period_rows_created).toBe(2);
    expect(statusesOf(answer)).toEqual([
      ['2026-02', 'stamped'],
      ['2026-03', 'stamped'],
    ]);
  });

  it('stamps nothing without a mapping and names the reason (reporting Q-24)', async () => {
    await inGraph(sql`UPDATE taxonomy_structure SET is_active = false WHERE block_type = 'coa_mapping'`);
    const answer = await backfill({ max_periods: 1 });
    expect(answer.processed).toEqual([
      expect.objectContaining({ status: 'stamped', statements_stamped: false, statement_stamp_note: 'no_coa_mapping' }),
    ]);
  });

  it.each([
    ['more months than one call closes', { max_periods: 25 }],
    ['no month', { max_periods: 0 }],
    ['a start after the last closed month', { start_period: '2026-05' }],
    ['a start that is no month', { start_period: '2026-13' }],
  ])('refuses %s (reporting Q-23)', async (_title, body) => {
    expect((await books.operation('backfill-plan-history', body)).status).toBe(422);
  });

  it('refuses books without a closed month (reporting Q-23)', async () => {
    const open = await openExampleBooks(reporting.user);
    expect((await open.operation('backfill-plan-history', {})).status).toBe(422);
  });
});
