/** @module-tag sessions */
import { describe, expect, it } from 'vitest';
import { makeStatement, type SumStatementKind } from '../src/statements/statement.ts';
import { concept, shippedLayout } from './shipped-statements.ts';

/**
 * The company of the worked example (reporting 15.1): balances at the end of February, March and April in dollars,
 * debits positive.
 */
const accounts: readonly (readonly [conceptName: string, february: number, march: number, april: number])[] = [
  ['CashAndCashEquivalentsAtCarryingValue', 24_000, 22_450, 30_200],
  ['CashAndCashEquivalentsAtCarryingValue', 500, 500, 500],
  ['AccountsReceivableNetCurrent', 18_000, 20_500, 21_500],
  ['InventoryNet', 12_000, 12_800, 13_300],
  ['PrepaidExpenseCurrent', 2_400, 2_200, 2_000],
  ['PropertyPlantAndEquipmentGross', 60_000, 66_000, 62_000],
  ['AccumulatedDepreciationDepletionAndAmortizationPropertyPlantAndEquipment', -18_000, -19_000, -17_050],
  ['AccountsPayableCurrent', -9_500, -10_700, -9_900],
  ['AccruedLiabilitiesCurrent', -3_000, -3_200, -3_000],
  ['LongTermDebtNoncurrent', -30_000, -30_000, -28_500],
  ['CommonStockValue', -40_000, -40_000, -45_000],
  ['RetainedEarningsAccumulatedDeficit', -16_400, -16_400, -16_400],
  ['PaymentsOfDividends', 0, 0, 2_000],
  ['RevenueFromContractWithCustomerExcludingAssessedTax', 0, -42_000, -87_000],
  ['CostOfGoodsAndServicesSold', 0, 25_200, 52_200],
  ['LaborAndRelatedExpense', 0, 8_200, 16_600],
  ['OperatingLeaseExpense', 0, 2_000, 4_000],
  ['GeneralInsuranceExpense', 0, 200, 400],
  ['DepreciationDepletionAndAmortization', 0, 1_000, 2_050],
  ['InterestExpense', 0, 250, 500],
  ['GainLossOnDispositionOfAssets', 0, 0, -400],
];

const layout = shippedLayout('BSC-CORP-IS02-CF1');
const cents = (dollars: number): bigint => BigInt(dollars) * 100n;

/** The statement for April and March, optionally with the day before March; by local name, in dollars. */
function example(kind: SumStatementKind, more: typeof accounts = [], hasOpening = false) {
  const column = (label: string, start: 1 | 2 | undefined, end: 1 | 2 | 3) => ({
    label,
    unmapped: [],
    mapped: [...accounts, ...more].map((account) => {
      const before = start === undefined ? account[end] : account[start];
      const movement = account[end] === before ? null : cents(account[end] - before);
      return { concept: concept(account[0]), cumulative: cents(account[end]), movement };
    }),
  });
  const opening = hasOpening ? [column('Opening', undefined, 1)] : [];
  const columns = [column('Current', 2, 3), column('Prior', 1, 2), ...opening];
  const { rows, validation } = makeStatement(kind, layout, columns, String);
  const dollars = (value: bigint | null) => (value === null ? null : Number(value) / 100);
  const lines = rows.map(({ line, values }) => [line.qname.replace('rs-gaap:', ''), values.map(dollars)] as const);
  return { values: Object.fromEntries(lines), names: lines.map(([name]) => name), validation };
}

describe('the worked example', () => {
  it('has account balances that sum to zero (reporting 15.1)', () => {
    for (const column of [1, 2, 3] as const) {
      expect(accounts.reduce((sum, account) => sum + account[column], 0)).toBe(0);
    }
  });

  it('produces the income statement of the specification (reporting 15.2)', () => {
    const { values, names, validation } = example('income_statement');
    expect(values).toEqual({
      RevenueFromContractWithCustomerExcludingAssessedTax: [45_000, 42_000],
      Revenues: [45_000, 42_000],
      CostOfGoodsAndServicesSold: [27_000, 25_200],
      CostOfRevenue: [27_000, 25_200],
      GrossProfit: [18_000, 16_800],
      GeneralAndAdministrativeExpense: [10_600, 10_400],
      DepreciationDepletionAndAmortization: [1_050, 1_000],
      GainLossOnDispositionOfAssets: [400, null],
      OperatingExpenses: [11_250, 11_400],
      OperatingIncomeLoss: [6_750, 5_400],
      InterestExpense: [250, 250],
      NonoperatingIncomeExpense: [-250, -250],
      IncomeLossFromContinuingOperationsBeforeIncomeTaxesExtraordinaryItemsNoncontrollingInterest: [6_500, 5_150],
      IncomeLossFromContinuingOperationsIncludingPortionAttributableToNoncontrollingInterest: [6_500, 5_150],
      ProfitLoss: [6_500, 5_150],
      NetIncomeLoss: [6_500, 5_150],
      NetIncomeLossAvailableToCommonStockholdersBasic: [6_500, 5_150],
    });
    expect(names.indexOf('GrossProfit')).toBeLessThan(names.indexOf('OperatingExpenses'));
    expect(validation).toEqual({
      passed: true,
      status: 'passed',
      checks: ['net_income_equation', 'totals_foot'],
      failures: [],
      warnings: [],
    });
  });

  it('keeps net income where an expense has no line, and says what the lines leave out (reporting S-10, S-36)', () => {
    const { values, validation } = example('income_statement', [
      ['AmortizationOfFinancingCostsAndDiscounts', 0, 100, 250],
    ]);
    expect(values).toMatchObject({
      OperatingIncomeLoss: [6_750, 5_400],
      ProfitLoss: [6_350, 5_050],
      NetIncomeLoss: [6_350, 5_050],
    });
    expect(validation.status).toBe('failed');
    expect(validation.failures).toEqual(
      expect.arrayContaining([
        expect.stringContaining('AmortizationOfFinancingCostsAndDiscounts'),
        expect.stringMatching(/totals_foot: .* is 635000, its parts make 650000/),
      ]),
    );
  });

  it('produces the balance sheet of the specification (reporting 15.3)', () => {
    const { values, validation } = example('balance_sheet', [], true);
    expect(values).toMatchObject({
      CashAndCashEquivalentsAtCarryingValue: [30_700, 22_950, 24_500],
      ReceivablesNetCurrent: [21_500, 20_500, 18_000],
      InventoryNet: [13_300, 12_800, 12_000],
      PrepaidExpenseCurrent: [2_000, 2_200, 2_400],
      AssetsCurrent: [67_500, 58_450, 56_900],
      PropertyPlantAndEquipmentNet: [44_950, 47_000, 42_000],
      Assets: [112_450, 105_450, 98_900],
      AccountsPayableCurrent: [9_900, 10_700, 9_500],
      AccruedLiabilitiesCurrent: [3_000, 3_200, 3_000],
      LiabilitiesCurrent: [12_900, 13_900, 12_500],
      LongTermDebtNoncurrent: [28_500, 30_000, 30_000],
      Liabilities: [41_400, 43_900, 42_500],
      CommonStockValue: [45_000, 40_000, 40_000],
      RetainedEarningsAccumulatedDeficit: [26_050, 21_550, 16_400],
      StockholdersEquity: [71_050, 61_550, 56_400],
      LiabilitiesAndStockholdersEquity: [112_450, 105_450, 98_900],
    });
    expect(validation).toMatchObject({ passed: true, failures: [], warnings: [] });
  });

  it('shows the same equity after an entry closes the earnings of March (reporting S-7)', () => {
    const closing: typeof accounts = [
      ['RetainedEarningsAccumulatedDeficit', 0, 0, -5_150],
      ['RevenueFromContractWithCustomerExcludingAssessedTax', 0, 0, 42_000],
      ['CostOfGoodsAndServicesSold', 0, 0, -25_200],
      ['LaborAndRelatedExpense', 0, 0, -11_650],
    ];
    expect(example('balance_sheet', closing).values).toEqual(example('balance_sheet').values);
  });
});

describe('the checks of a statement', () => {
  it('name a gain that no line of the income statement shows (reporting R-26)', () => {
    const { validation } = example('income_statement', [
      ['GainLossOnSaleOfPropertyPlantEquipment', 0, 0, -70],
      ['CashAndCashEquivalentsAtCarryingValue', 0, 0, 70],
    ]);
    expect(validation.failures).toEqual([
      '[Current] totals_foot: Net Income (Loss), Including Portion Attributable to Noncontrolling Interest is 657000, its parts make 650000',
      '[Current] rs-gaap:GainLossOnSaleOfPropertyPlantEquipment has -7000 and no line of the statement shows it',
    ]);
  });

  it('name a total with an amount of its own, which counts as one of its parts (reporting S-32)', () => {
    const { values, validation } = example('income_statement', [
      ['Revenues', 0, 0, -1_000],
      ['CashAndCashEquivalentsAtCarryingValue', 0, 0, 1_000],
    ]);
    expect(values['Revenues']).toEqual([46_000, 42_000]);
    expect(values['NetIncomeLoss']).toEqual([7_500, 5_150]);
    expect(validation.warnings).toEqual(['[Current] direct_total: accounts are mapped to Revenues, which is a total']);
    expect(validation).toMatchObject({ passed: true, failures: [] });
  });

  it('count unmapped accounts, each on the statement that lacks it (reporting S-31)', () => {
    const column = {
      label: 'Current',
      mapped: [],
      unmapped: [
        { period: 'instant', cumulative: 700n, movement: 700n },
        { period: 'duration', cumulative: -500n, movement: -300n },
      ],
    } as const;
    const failures = (kind: SumStatementKind) => makeStatement(kind, layout, [column], String).validation.failures;
    expect(failures('balance_sheet')).toEqual(['2 unmapped account(s) with balance 200']);
    expect(failures('income_statement')).toEqual(['1 unmapped account(s) with balance -300']);
  });

  it('warn about a comparative column without values (reporting R-26)', () => {
    const empty = { label: 'Prior', mapped: [], unmapped: [] };
    const full = {
      label: 'Current',
      unmapped: [],
      mapped: [
        { concept: concept('CashAndCashEquivalentsAtCarryingValue'), cumulative: 5n, movement: 5n },
        { concept: concept('CommonStockValue'), cumulative: -5n, movement: -5n },
      ],
    };
    const { validation } = makeStatement('balance_sheet', layout, [full, empty], String);
    expect(validation).toMatchObject({ passed: true, warnings: ['comparative_data: Prior has no value'] });
  });
});
