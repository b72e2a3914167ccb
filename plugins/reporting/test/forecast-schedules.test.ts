/** @module-tag sessions */
// Goal: a forecast follows schedules as they stand: running, terminated, reversing themselves, and their assets disposed of.
// Method: a real service over HTTP; schedules and disposals are recorded as users record them.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Loose, ReportingService } from './example-books.ts';
import {
  createForecast,
  type ForecastBooks,
  openForecastBooks,
  rowsOf,
  startForecasts,
  startSchedule,
} from './forecast-books.ts';

let reporting: ReportingService;
let books: ForecastBooks;
let forecastId: string;
beforeAll(async () => {
  reporting = await startForecasts();
});
afterAll(() => reporting.service.close());
beforeEach(async () => {
  books = await openForecastBooks(reporting, { hasSchedules: false });
  const levers = [{ qname: 'rs-driver:DaysSalesOutstanding', value: 15 }];
  forecastId = (await createForecast(books, { levers, line_assertions: [], line_growth: [] })).id;
});

/** The computed months of lines of both statements. */
async function projected(...names: readonly string[]): Promise<Readonly<Record<string, Loose>>> {
  const { diagnostics, skipped } = await books.done('compute-forecast', { structure_id: forecastId });
  const rows = await Promise.all(
    ['income_statement', 'balance_sheet'].map(async (type) =>
      rowsOf(
        await books.block(
          books.structures[type] ?? '',
          `, scenarioId: "${forecastId}", series: true, seriesHistory: 0`,
        ),
      ),
    ),
  );
  const all = Object.assign({}, ...rows);
  return { ...Object.fromEntries(names.map((name) => [name, all[name]])), diagnostics, skipped };
}

const depreciation = 'DepreciationDepletionAndAmortization';
const property = 'PropertyPlantAndEquipmentNet';
const startMachines = () =>
  startSchedule(books, {
    name: 'Machines',
    debit: books.accountId('6300'),
    credit: books.accountId('1590'),
    cents: 105_000,
    metadata: { original_amount: 1_260_000, asset_element_id: books.accountId('1500') },
  });

describe('compute-forecast with schedules', () => {
  it('carries depreciation without a schedule and says so (reporting W-19)', async () => {
    expect(await projected(depreciation, property)).toEqual({
      [depreciation]: [1_050, 1_050, 1_050],
      [property]: [44_950, 44_950, 44_950],
      diagnostics: [`depreciation carried without a schedule: rs-gaap:${depreciation} from 2026-05`],
      skipped: [],
    });
  });

  it('moves the balance of a running schedule and holds its expense (reporting Q-13 b, Q-15)', async () => {
    await startMachines();
    expect(await projected(depreciation, property)).toEqual({
      [depreciation]: [1_050, 1_050, 1_050],
      [property]: [43_900, 42_850, 41_800],
      diagnostics: [],
      skipped: [],
    });
  });

  it('stops at the end of a terminated schedule (reporting Q-15a)', async () => {
    const { id } = await startSchedule(books, {
      name: 'Insurance',
      debit: books.accountId('6200'),
      credit: books.accountId('1300'),
      cents: 20_000,
    });
    await books.done('terminate-schedule', { structure_id: id, new_end_date: '2026-05-31', reason: 'Policy canceled' });
    expect(await projected('GeneralAndAdministrativeExpense', 'PrepaidExpenseCurrent')).toMatchObject({
      GeneralAndAdministrativeExpense: [10_600, 10_400, 10_400],
      PrepaidExpenseCurrent: [1_800, 1_800, 1_800],
    });
  });

  it('shows an accrual that reverses itself in its month only (ledger L-191)', async () => {
    const [debit, credit] = [books.accountId('6200'), books.accountId('2100')];
    await books.done('create-information-block', {
      block_type: 'schedule',
      payload: {
        name: 'Bonus',
        element_ids: [debit, credit],
        period_start: '2026-05-01',
        period_end: '2026-06-30',
        monthly_amount: 30_000,
        entry_template: { debit_element_id: debit, credit_element_id: credit, auto_reverse: true },
      },
    });
    // Each month adds its accrual and takes back that of the month before.
    expect(await projected('GeneralAndAdministrativeExpense', 'AccruedLiabilitiesCurrent')).toMatchObject({
      GeneralAndAdministrativeExpense: [10_900, 10_600, 10_300],
      AccruedLiabilitiesCurrent: [3_300, 3_300, 3_000],
    });
  });

  it('takes a recorded disposal into its month, and the schedule back when it is retracted (reporting Q-15a)', async () => {
    const { id } = await startMachines();
    reporting.clock.set('2026-05-31T20:00:00Z');
    const event = await books.done('create-event-block', {
      event_type: 'asset_disposed',
      event_category: 'adjustment',
      source: 'manual',
      occurred_at: '2026-05-31T09:00:00Z',
      apply_handlers: true,
      metadata: {
        schedule_id: id,
        memo: 'Machines sold',
        reason: 'sale',
        proceeds: 1_100_000,
        proceeds_element_id: books.accountId('1000'),
        gain_loss_element_id: books.accountId('7100'),
      },
    });
    // April is history of the schedule and May is depreciated: the carrying amount is 12,600 − 2,100 and the gain 500.
    expect(await projected(depreciation, property, 'GainLossOnDispositionOfAssets')).toEqual({
      [depreciation]: [1_050, 0, 0],
      [property]: [33_400, 33_400, 33_400],
      GainLossOnDispositionOfAssets: [900, 400, 400],
      diagnostics: [],
      skipped: [],
    });
    await books.done('update-event-block', { event_id: event.id, transition_to: 'voided' });
    expect(await projected(depreciation, property)).toMatchObject({
      [depreciation]: [1_050, 1_050, 1_050],
      [property]: [43_900, 42_850, 41_800],
    });
    reporting.clock.set('2026-05-04T12:00:00Z');
  });
});
