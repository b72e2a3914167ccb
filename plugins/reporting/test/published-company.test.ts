/** @module-tag sessions */
// Goal: the statements of a real company have its published subtotals. Method: the lines of three annual statements of
// Apple Inc. are posted as one entry at the end of each year, and a report of the three years is compared with the
// totals that the company published. Source: its annual reports on Form 10-K for the fiscal years that ended on
// September 25, 2021, September 24, 2022 and September 30, 2023 (consolidated statements of operations, balance sheets
// and statements of shareholders' equity), in millions of dollars.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Chart,
  createReport,
  type ExampleBooks,
  type Leg,
  openBooks,
  type ReportingService,
  startReporting,
  statementOf,
  valuesOf,
} from './example-books.ts';

type Figures = readonly [year2021: number, year2022: number, year2023: number];

/** Balances at the end of each year, debits positive. */
const balances: readonly (readonly [code: string, trait: string, concept: string, figures: Figures])[] = [
  ['1000', 'asset', 'CashAndCashEquivalentsAtCarryingValue', [34_940, 23_646, 29_965]],
  ['1100', 'asset', 'MarketableSecuritiesCurrent', [27_699, 24_658, 31_590]],
  ['1200', 'asset', 'AccountsReceivableNetCurrent', [26_278, 28_184, 29_508]],
  ['1210', 'asset', 'OtherReceivablesNetCurrent', [25_228, 32_748, 31_477]],
  ['1300', 'asset', 'InventoryNet', [6_580, 4_946, 6_331]],
  ['1400', 'asset', 'OtherAssetsCurrent', [14_111, 21_223, 14_695]],
  ['1500', 'asset', 'MarketableSecuritiesNoncurrent', [127_877, 120_805, 100_544]],
  ['1600', 'asset', 'PropertyPlantAndEquipmentNet', [39_440, 42_117, 43_715]],
  ['1700', 'asset', 'OtherAssetsNoncurrent', [48_849, 54_428, 64_758]],
  ['2000', 'liability', 'AccountsPayableCurrent', [-54_763, -64_115, -62_611]],
  ['2100', 'liability', 'OtherLiabilitiesCurrent', [-47_493, -60_845, -58_829]],
  ['2200', 'liability', 'ContractWithCustomerLiabilityCurrent', [-7_612, -7_912, -8_061]],
  ['2300', 'liability', 'ShortTermBorrowings', [-6_000, -9_982, -5_985]],
  ['2400', 'liability', 'LongTermDebtCurrent', [-9_613, -11_128, -9_822]],
  ['2500', 'liability', 'LongTermDebtNoncurrent', [-109_106, -98_959, -95_281]],
  ['2600', 'liability', 'OtherLiabilitiesNoncurrent', [-53_325, -49_142, -49_848]],
  ['3000', 'equity', 'CommonStockValue', [-57_365, -64_849, -73_812]],
  ['3900', 'equity', 'AccumulatedOtherComprehensiveIncomeLossNetOfTax', [-163, 11_109, 11_452]],
];

/** The lines of the income statement of each year, debits positive. */
const flows: typeof balances = [
  ['4000', 'revenue', 'RevenueFromContractWithCustomerExcludingAssessedTax', [-297_392, -316_199, -298_085]],
  ['4100', 'revenue', 'RevenueFromContractWithCustomerExcludingAssessedTax', [-68_425, -78_129, -85_200]],
  ['5000', 'expense', 'CostOfGoodsAndServicesSold', [192_266, 201_471, 189_282]],
  ['5100', 'expense', 'CostOfGoodsAndServicesSold', [20_715, 22_075, 24_855]],
  ['6000', 'expense', 'ResearchAndDevelopmentExpense', [21_914, 26_251, 29_915]],
  ['6100', 'expense', 'GeneralAndAdministrativeExpense', [21_973, 25_094, 24_932]],
  ['7000', 'gain', 'OtherNonoperatingIncomeExpense', [-258, 334, 565]],
  ['8000', 'expense', 'IncomeTaxExpenseBenefit', [14_527, 19_300, 16_741]],
];

/** What left retained earnings apart from net income: dividends, repurchased and withheld shares. */
const withheld: Figures = [0, 90_186 + 3_454, 77_046 + 2_099];
const dividends: Figures = [0, 14_793, 14_996];
const retained = '3800';
const dividend = '3850';

const chart: Chart = [
  ...[...balances, ...flows].map(([code, trait, concept]) => [code, trait, concept] as const),
  [retained, 'equity', 'RetainedEarningsAccumulatedDeficit'],
  [dividend, 'distributionToOwners', 'PaymentsOfDividends'],
];

const fiscalYears = [
  { start: '2020-09-27', end: '2021-09-25', label: '2021' },
  { start: '2021-09-26', end: '2022-09-24', label: '2022' },
  { start: '2022-09-25', end: '2023-09-30', label: '2023' },
];

/** The entry that brings the balances of the end of the year before to those of a year. */
function entryOfYear(year: number): readonly Leg[] {
  const at = ({ figures, from }: { figures: Figures; from: number }): number => (from < 0 ? 0 : (figures[from] ?? 0));
  const changes = [
    ...balances.map(
      ([code, , , figures]) => [code, at({ figures, from: year }) - at({ figures, from: year - 1 })] as const,
    ),
    ...flows.map(([code, , , figures]) => [code, at({ figures, from: year })] as const),
    [dividend, at({ figures: dividends, from: year })] as const,
  ];
  const own = at({ figures: withheld, from: year });
  // Retained earnings at the beginning are what the other lines of the first year leave.
  const rest = -changes.reduce((sum, [, change]) => sum + change, 0);
  const ofEarnings = year === 0 ? rest : own;
  if (rest !== ofEarnings) throw new Error(`The published figures of year ${year} differ by ${rest - ofEarnings}.`);
  const legs = [...changes, [retained, ofEarnings] as const].filter(([, change]) => change !== 0);
  return legs.map(([code, change]) => [code, Math.max(change, 0) * 1e6, Math.max(-change, 0) * 1e6]);
}

const millions = (values: readonly (number | null)[] | undefined) =>
  values?.map((value) => (value === null ? null : value / 1e6));

describe('the annual statements of a listed company', () => {
  let reporting: ReportingService;
  let books: ExampleBooks;
  let reportId: string;

  beforeAll(async () => {
    reporting = await startReporting();
    books = await openBooks(reporting.user, { company: 'Apple Inc.', firstMonth: '2021-09', chart });
    for (const [year, { end }] of fiscalYears.entries()) await books.post(end, entryOfYear(year));
    const report = await createReport(books, { name: 'Form 10-K', period_type: 'annual', periods: fiscalYears });
    reportId = report.id;
  });
  afterAll(() => reporting.service.close());

  it('have the published totals of the balance sheet', async () => {
    const statement = await statementOf(books, reportId, 'balance_sheet');
    const values = valuesOf(statement);
    expect({
      current: millions(values['AssetsCurrent']),
      noncurrent: millions(values['AssetsNoncurrent']),
      assets: millions(values['Assets']),
      currentLiabilities: millions(values['LiabilitiesCurrent']),
      noncurrentLiabilities: millions(values['LiabilitiesNoncurrent']),
      liabilities: millions(values['Liabilities']),
      earnings: millions(values['RetainedEarningsAccumulatedDeficit']),
      equity: millions(values['StockholdersEquity']),
      both: millions(values['LiabilitiesAndStockholdersEquity']),
    }).toEqual({
      current: [134_836, 135_405, 143_566],
      noncurrent: [216_166, 217_350, 209_017],
      assets: [351_002, 352_755, 352_583],
      currentLiabilities: [125_481, 153_982, 145_308],
      noncurrentLiabilities: [162_431, 148_101, 145_129],
      liabilities: [287_912, 302_083, 290_437],
      earnings: [5_562, -3_068, -214],
      equity: [63_090, 50_672, 62_146],
      both: [351_002, 352_755, 352_583],
    });
    expect(statement.validation).toMatchObject({ passed: true, status: 'passed' });
  });

  it('have the published totals of the income statement', async () => {
    const statement = await statementOf(books, reportId, 'income_statement');
    const values = valuesOf(statement);
    const pretax =
      'IncomeLossFromContinuingOperationsBeforeIncomeTaxesExtraordinaryItemsNoncontrollingInterest' as const;
    expect({
      sales: millions(values['Revenues']),
      cost: millions(values['CostOfRevenue']),
      margin: millions(values['GrossProfit']),
      expenses: millions(values['OperatingExpenses']),
      operating: millions(values['OperatingIncomeLoss']),
      pretax: millions(values[pretax]),
      net: millions(values['NetIncomeLoss']),
    }).toEqual({
      sales: [365_817, 394_328, 383_285],
      cost: [212_981, 223_546, 214_137],
      margin: [152_836, 170_782, 169_148],
      expenses: [43_887, 51_345, 54_847],
      operating: [108_949, 119_437, 114_301],
      pretax: [109_207, 119_103, 113_736],
      net: [94_680, 99_803, 96_995],
    });
    expect(statement.validation).toMatchObject({ passed: true, status: 'passed' });
  });
});
