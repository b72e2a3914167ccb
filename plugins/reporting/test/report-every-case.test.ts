/** @module-tag sessions */
// Goal: a report and the live view show every case of a cash flow with the figures of the specification.
// Method: a real service over HTTP; the entries of reporting 15.4a.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createReport,
  type ExampleBooks,
  type Leg,
  type Loose,
  openExampleBooks,
  type ReportingService,
  startReporting,
  statementOf,
  valuesOf,
} from './example-books.ts';

let reporting: ReportingService;
let books: ExampleBooks;
let reportId: string;
beforeAll(async () => {
  reporting = await startReporting();
  books = await openExampleBooks(reporting.user, {
    accounts: [
      ['1150', 'asset', 'AccountsReceivableNetCurrent'],
      ['2200', 'liability', 'DividendsPayableCurrent'],
      ['6400', 'expense', 'ProvisionForDoubtfulAccounts'],
      ['6500', 'expense', 'ProfessionalFees'],
    ],
  });
  for (const [date, lines] of entries) await books.post(date, legsOf(lines));
  reportId = (await createReport(books, { ...may, comparative: false })).id;
});
afterAll(() => reporting.service.close());

const may = { period_start: '2026-05-01', period_end: '2026-05-31' };

/** Dollars by account; debits are positive. */
type Lines = Readonly<Record<string, number>>;

const entries: readonly (readonly [date: string, lines: Lines])[] = [
  [
    '2026-04-30',
    {
      '1000': 50_000,
      '1100': 20_000,
      '1150': -1_000,
      '1300': 1_200,
      '1500': 30_000,
      '1590': -12_000,
      '2000': -8_000,
      '2500': -15_000,
      '3000': -40_000,
      '3900': -25_200,
    },
  ],
  ...[
    { '1100': 30_000, '4000': -30_000 },
    { '1000': 26_000, '1100': -26_000 },
    { '5000': 11_000, '2000': -11_000 },
    { '2000': 9_500, '1000': -9_500 },
    { '1300': 600, '1000': -600 },
    { '6200': 300, '1300': -300 },
    { '6300': 900, '1590': -900 },
    { '6400': 700, '1150': -700 },
    { '1150': 400, '1100': -400 },
    { '1000': 5_200, '1590': 6_000, '1500': -10_000, '7100': -1_200 },
    { '1500': 7_000, '2000': -7_000 },
    { '2000': 4_000, '1000': -4_000 },
    { '1500': 9_000, '1000': -1_000, '2500': -8_000 },
    { '1000': 10_000, '2500': -10_000 },
    { '2500': 2_500, '7000': 150, '1000': -2_650 },
    { '1000': 6_000, '3000': -6_000 },
    { '6500': 500, '3000': -500 },
    { '3950': 3_000, '2200': -3_000 },
    { '2200': 2_000, '1000': -2_000 },
  ].map((lines: Lines) => ['2026-05-15', lines] as const),
];

function legsOf(lines: Lines): readonly Leg[] {
  return Object.entries(lines).map(([code, dollars]) => [code, Math.max(dollars, 0), Math.max(-dollars, 0)]);
}

describe('a month with every case', () => {
  it('has the cash flow of the specification in a report (reporting 15.4a, S-12 to S-16)', async () => {
    const statement = await statementOf(books, reportId, 'cash_flow_statement');
    const values = Object.fromEntries(Object.entries(valuesOf(statement)).map(([name, [value]]) => [name, value]));
    expect(values).toMatchObject({
      ProfitLoss: 17_650,
      DepreciationDepletionAndAmortization: 900,
      ProvisionForDoubtfulAccounts: 700,
      GainLossOnSaleOfPropertyPlantEquipment: -1_200,
      OtherNoncashIncomeExpense: 500,
      IncreaseDecreaseInAccountsReceivable: -4_000,
      IncreaseDecreaseInPrepaidDeferredExpenseAndOtherAssets: -300,
      IncreaseDecreaseInAccountsPayable: 4_500,
      NetCashProvidedByUsedInOperatingActivities: 18_750,
      PaymentsToAcquirePropertyPlantAndEquipment: -8_000,
      ProceedsFromSaleOfPropertyPlantAndEquipment: 5_200,
      NetCashProvidedByUsedInInvestingActivities: -2_800,
      ProceedsFromIssuanceOfLongTermDebt: 10_000,
      RepaymentsOfLongTermDebt: -2_500,
      ProceedsFromIssuanceOfCommonStock: 6_000,
      PaymentsOfDividends: -2_000,
      NetCashProvidedByUsedInFinancingActivities: 11_500,
      CashCashEquivalentsRestrictedCashAndRestrictedCashEquivalentsPeriodIncreaseDecreaseIncludingExchangeRateEffect: 27_450,
      CashCashEquivalentsRestrictedCashAndRestrictedCashEquivalents: 77_450,
    });
    expect(statement.validation).toMatchObject({ passed: true, failures: [] });
    expect(statement.validation.warnings.filter((text: string) => text.startsWith('noncash:'))).toHaveLength(2);
  });

  it('has the roll-forward of equity of the specification in a report (reporting 15.4a, S-16b)', async () => {
    const { rows, validation } = await statementOf(books, reportId, 'equity_statement');
    const equity = 'StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest';
    expect(rows.map((row: Loose) => [row.elementQname.replace('rs-gaap:', ''), row.values[0]])).toEqual([
      [equity, 65_200],
      ['ProfitLoss', 17_650],
      ['StockIssuedDuringPeriodValueNewIssues', 6_500],
      ['DividendsCommonStock', -3_000],
      [equity, 86_350],
    ]);
    expect(validation).toMatchObject({ passed: true, failures: [] });
    const sheet = valuesOf(await statementOf(books, reportId, 'balance_sheet'));
    expect(sheet).toMatchObject({ CommonStockValue: [46_500], RetainedEarningsAccumulatedDeficit: [39_850] });
  });

  it.each(['income_statement', 'balance_sheet', 'cash_flow_statement', 'equity_statement'])(
    'shows the same %s in the report and live (reporting V-4)',
    async (kind) => {
      const { rows } = await statementOf(books, reportId, kind);
      const live = await books.done('live-financial-statement', { statement_type: kind, ...may });
      const amounts = (list: readonly Loose[], nameOf: (row: Loose) => string) =>
        list.flatMap((row) => (row.values[0] ? [[nameOf(row), row.values[0]]] : []));
      expect(amounts(rows, (row) => row.elementQname)).toEqual(amounts(live.facts, (fact) => fact.qname));
    },
  );
});
