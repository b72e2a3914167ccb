/**
 * The cash flow and the equity statement of posted entries, through the service.
 * @module-tag sessions
 */
import type { Answer } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Lines,
  type LiveBooks,
  type LiveService,
  openLiveBooks,
  remap,
  startLive,
  valuesOf,
} from './live-books.ts';
import { statementsOf } from './observed-store.ts';

let live: LiveService;
beforeAll(async () => {
  live = await startLive();
});
afterAll(() => live.service.close());

const equity = 'StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest';
const netChange =
  'CashCashEquivalentsRestrictedCashAndRestrictedCashEquivalentsPeriodIncreaseDecreaseIncludingExchangeRateEffect';

describe('live-financial-statement of a month with every case', () => {
  const [cash, receivables, allowance, prepaid, property, accumulated] = [
    '1000',
    '1100',
    '1110',
    '1300',
    '1500',
    '1590',
  ];
  const [payables, dividendsPayable, loan, stock, earnings, dividends] = [
    '2000',
    '2500',
    '2700',
    '3000',
    '3200',
    '3300',
  ];
  const [revenue, cost, insurance, fees, depreciation] = ['4000', '5000', '6300', '6400', '6900'];
  const [interest, gain, badDebt] = ['7100', '7200', '7300'];
  let books: LiveBooks;
  beforeAll(async () => {
    books = await openLiveBooks(live);
    await remap(live, books, { code: dividendsPayable, concept: 'DividendsPayableCurrent' });
    const opening: Lines = {
      [cash]: 50_000,
      [receivables]: 20_000,
      [allowance]: -1_000,
      [prepaid]: 1_200,
      [property]: 30_000,
      [accumulated]: -12_000,
    };
    await books.post('2026-04-30', {
      ...opening,
      [payables]: -8_000,
      [loan]: -15_000,
      [stock]: -40_000,
      [earnings]: -25_200,
    });
    const entries: readonly Lines[] = [
      { [receivables]: 30_000, [revenue]: -30_000 },
      { [cash]: 26_000, [receivables]: -26_000 },
      { [cost]: 11_000, [payables]: -11_000 },
      { [payables]: 9_500, [cash]: -9_500 },
      { [prepaid]: 600, [cash]: -600 },
      { [insurance]: 300, [prepaid]: -300 },
      { [depreciation]: 900, [accumulated]: -900 },
      { [badDebt]: 700, [allowance]: -700 },
      { [allowance]: 400, [receivables]: -400 },
      { [cash]: 5_200, [accumulated]: 6_000, [property]: -10_000, [gain]: -1_200 },
      { [property]: 7_000, [payables]: -7_000 },
      { [payables]: 4_000, [cash]: -4_000 },
      { [property]: 9_000, [cash]: -1_000, [loan]: -8_000 },
      { [cash]: 10_000, [loan]: -10_000 },
      { [loan]: 2_500, [interest]: 150, [cash]: -2_650 },
      { [cash]: 6_000, [stock]: -6_000 },
      { [fees]: 500, [stock]: -500 },
      { [dividends]: 3_000, [dividendsPayable]: -3_000 },
      { [dividendsPayable]: 2_000, [cash]: -2_000 },
    ];
    for (const [index, lines] of entries.entries()) {
      await books.post(`2026-05-${String(index + 1).padStart(2, '0')}`, lines);
    }
  });

  it('shows every effect on cash and names what moved none (reporting 15.4a, S-12 to S-16a)', async () => {
    const result = await books.statement('cash_flow_statement', '2026-05-01', '2026-05-31');
    expect(result.periods).toEqual([{ start: '2026-05-01', end: '2026-05-31', label: 'Current' }]);
    expect(valuesOf(result)).toEqual([
      ['ProfitLoss', 17_650],
      ['DepreciationDepletionAndAmortization', 900],
      ['ProvisionForDoubtfulAccounts', 700],
      ['GainLossOnSaleOfPropertyPlantEquipment', -1_200],
      ['OtherNoncashIncomeExpense', 500],
      ['AdjustmentsNoncashItemsToReconcileNetIncomeLossToCashProvidedByUsedInOperatingActivities', 900],
      ['IncreaseDecreaseInAccountsReceivable', -4_000],
      ['IncreaseDecreaseInPrepaidDeferredExpenseAndOtherAssets', -300],
      ['IncreaseDecreaseInAccountsPayable', 4_500],
      ['IncreaseDecreaseInOperatingCapital', 200],
      ['AdjustmentsToReconcileNetIncomeLossToCashProvidedByUsedInOperatingActivities', 1_100],
      ['NetCashProvidedByUsedInOperatingActivities', 18_750],
      ['PaymentsToAcquirePropertyPlantAndEquipment', -8_000],
      ['ProceedsFromSaleOfPropertyPlantAndEquipment', 5_200],
      ['NetCashProvidedByUsedInInvestingActivities', -2_800],
      ['ProceedsFromIssuanceOfCommonStock', 6_000],
      ['PaymentsOfDividends', -2_000],
      ['ProceedsFromIssuanceOfLongTermDebt', 10_000],
      ['RepaymentsOfLongTermDebt', -2_500],
      ['NetCashProvidedByUsedInFinancingActivities', 11_500],
      [netChange, 27_450],
      ['CashCashEquivalentsRestrictedCashAndRestrictedCashEquivalents', 77_450],
    ]);
    expect(result.validation).toEqual({
      passed: true,
      status: 'passed',
      checks: ['cash_tie', 'totals_foot'],
      failures: [],
      warnings: [
        'noncash: Payments to Acquire Property, Plant, and Equipment of 8000.00 USD set off against Proceeds from Issuance of Long-Term Debt',
        'noncash: Proceeds from Issuance of Common Stock of 500.00 USD moved no cash',
      ],
    });
  });

  it('rolls equity forward, changes without cash included (reporting 15.4a, S-16b)', async () => {
    const result = await books.statement('equity_statement', '2026-05-01', '2026-05-31');
    expect(valuesOf(result)).toEqual([
      [equity, 65_200],
      ['ProfitLoss', 17_650],
      ['StockIssuedDuringPeriodValueNewIssues', 6_500],
      ['DividendsCommonStock', -3_000],
      [equity, 86_350],
    ]);
    expect(
      result.facts.map((fact: Answer['body']) => fact.name).filter((name: string) => name.includes('period')),
    ).toEqual([expect.stringMatching(/, beginning of period$/), expect.stringMatching(/, end of period$/)]);
    expect(result.validation).toMatchObject({ passed: true, checks: ['equity_tie'], failures: [], warnings: [] });
  });

  it('takes as many statements for a month with many entries as for one with a single entry (reporting S-13)', async () => {
    await books.post('2026-07-01', { [depreciation]: 10, [accumulated]: -10 });
    const may = await statementsOf(live.service, () =>
      books.statement('cash_flow_statement', '2026-05-01', '2026-05-31'),
    );
    const july = await statementsOf(live.service, () =>
      books.statement('cash_flow_statement', '2026-07-01', '2026-07-31'),
    );
    expect([may, may > 0]).toEqual([july, true]);
  });

  it('reports cash on the line that an entry names (reporting S-12b, S-14)', async () => {
    // The interest of the installment is named a repayment, and the payment of the bill of a machine a purchase.
    await books.post('2026-06-05', { [interest]: 100, [`${cash} RepaymentsOfLongTermDebt`]: -100 });
    await books.post('2026-06-06', {
      [`${payables} PaymentsToAcquirePropertyPlantAndEquipment`]: 3_000,
      [cash]: -3_000,
    });
    const result = await books.statement('cash_flow_statement', '2026-06-01', '2026-06-30');
    expect(Object.fromEntries(valuesOf(result))).toMatchObject({
      ProfitLoss: -100,
      IncreaseDecreaseInOtherOperatingCapitalNet: 100,
      PaymentsToAcquirePropertyPlantAndEquipment: -3_000,
      RepaymentsOfLongTermDebt: -100,
      [netChange]: -3_100,
    });
    expect(result.validation).toMatchObject({
      passed: true,
      warnings: [
        'zero_subtotals: Net Cash Provided by (Used in) Operating Activities is zero',
        'cash of 100.00 USD names a line of the cash flow that no other line of its entry explains',
      ],
    });
  });
});

describe('live-financial-statement of imported books', () => {
  it('leaves closing entries out of every flow, and only these (reporting S-2a)', async () => {
    const books = await openLiveBooks(live);
    await books.post('2026-05-05', { '1000': 9_000, '4000': -9_000 });
    await books.post('2026-05-06', { '5000': 4_000, '1000': -4_000 });
    await books.post('2026-05-07', { '3300': 1_000, '1000': -1_000 });
    const before = {
      income: valuesOf(await books.statement('income_statement', '2026-05-01', '2026-05-31')),
      cash: valuesOf(await books.statement('cash_flow_statement', '2026-05-01', '2026-05-31')),
      equity: valuesOf(await books.statement('equity_statement', '2026-05-01', '2026-05-31')),
    };
    expect(before.equity).toEqual([
      [equity, 0],
      ['ProfitLoss', 5_000],
      ['DividendsCommonStock', -1_000],
      [equity, 4_000],
    ]);
    // One entry closes income and one the dividends. The correction of an earlier year leaves a balance, so it is no
    // closing entry.
    await books.post('2026-05-31', { '4000': 9_000, '5000': -4_000, '3200': -5_000 });
    await books.post('2026-05-31', { '3300': -1_000, '3200': 1_000 });
    expect(valuesOf(await books.statement('income_statement', '2026-05-01', '2026-05-31'))).toEqual(before.income);
    expect(valuesOf(await books.statement('cash_flow_statement', '2026-05-01', '2026-05-31'))).toEqual(before.cash);
    expect(valuesOf(await books.statement('equity_statement', '2026-05-01', '2026-05-31'))).toEqual(before.equity);
    await books.post('2026-06-10', { '3200': 200, '6300': -200 });
    const june = await books.statement('equity_statement', '2026-06-01', '2026-06-30');
    expect(valuesOf(june)).toEqual([
      [equity, 4_000],
      ['ProfitLoss', 200],
      ['DividendsCommonStock', -200],
      [equity, 4_000],
    ]);
    expect(june.validation.failures).toEqual([]);
  });

  it('names lines in other currencies, which no flow includes (ledger L-5a)', async () => {
    const books = await openLiveBooks(live);
    await books.post('2026-05-05', { '1000': 9_000, '3000': -9_000 });
    await books.post('2026-05-06', { '1000': 500, '3000': -500 }, 'EUR');
    for (const type of ['cash_flow_statement', 'equity_statement']) {
      const { validation } = await books.statement(type, '2026-05-01', '2026-05-31');
      expect(validation.checks).toContain('foreign_currency_lines');
      expect(validation.failures).toEqual([
        'foreign_currency_lines: 2 posted lines are not in USD and left out: EUR 2',
      ]);
    }
  });
});
