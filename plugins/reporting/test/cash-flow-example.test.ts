import { describe, expect, it } from 'vitest';
import { type BookAccount, type BookEntry, type Books, flowStatement, shown } from './flow-books.ts';
import { shippedLayout } from './shipped-statements.ts';

const layout = shippedLayout('BSC-CORP-IS02-CF1');

/** The chart of the company of the worked example (reporting 15.1). */
const accounts: readonly BookAccount[] = [
  { id: 'bank', concept: 'CashAndCashEquivalentsAtCarryingValue' },
  { id: 'receivables', concept: 'AccountsReceivableNetCurrent' },
  { id: 'inventory', concept: 'InventoryNet' },
  { id: 'prepaid', concept: 'PrepaidExpenseCurrent' },
  { id: 'machinery', concept: 'PropertyPlantAndEquipmentGross' },
  { id: 'accumulated', concept: 'AccumulatedDepreciationDepletionAndAmortizationPropertyPlantAndEquipment' },
  { id: 'payables', concept: 'AccountsPayableCurrent' },
  { id: 'accrued', concept: 'AccruedLiabilitiesCurrent' },
  { id: 'loan', concept: 'LongTermDebtNoncurrent' },
  { id: 'stock', concept: 'CommonStockValue' },
  { id: 'earnings', concept: 'RetainedEarningsAccumulatedDeficit' },
  { id: 'dividends', concept: 'PaymentsOfDividends' },
  { id: 'sales', concept: 'RevenueFromContractWithCustomerExcludingAssessedTax' },
  { id: 'cost', concept: 'CostOfGoodsAndServicesSold' },
  { id: 'wages', concept: 'LaborAndRelatedExpense' },
  { id: 'rent', concept: 'OperatingLeaseExpense' },
  { id: 'insurance', concept: 'GeneralInsuranceExpense' },
  { id: 'depreciation', concept: 'DepreciationDepletionAndAmortization' },
  { id: 'interest', concept: 'InterestExpense' },
  { id: 'gain', concept: 'GainLossOnDispositionOfAssets' },
];

/** Balances at the end of February, and the movements of March and April (reporting 15.1). */
const entries: readonly BookEntry[] = [
  entry(2, {
    bank: 24_500,
    receivables: 18_000,
    inventory: 12_000,
    prepaid: 2_400,
    machinery: 60_000,
    accumulated: -18_000,
    payables: -9_500,
    accrued: -3_000,
    loan: -30_000,
    stock: -40_000,
    earnings: -16_400,
  }),
  ...[
    { receivables: 42_000, sales: -42_000 },
    { bank: 39_500, receivables: -39_500 },
    { inventory: 26_000, payables: -26_000 },
    { cost: 25_200, inventory: -25_200 },
    { payables: 24_800, bank: -24_800 },
    { wages: 8_200, accrued: -8_200 },
    { accrued: 8_000, bank: -8_000 },
    { rent: 2_000, bank: -2_000 },
    { insurance: 200, prepaid: -200 },
    { depreciation: 1_000, accumulated: -1_000 },
    { interest: 250, bank: -250 },
    { machinery: 6_000, bank: -6_000 },
  ].map((lines) => entry(3, lines)),
  ...[
    { receivables: 45_000, sales: -45_000 },
    { bank: 44_000, receivables: -44_000 },
    { inventory: 27_500, payables: -27_500 },
    { cost: 27_000, inventory: -27_000 },
    { payables: 28_300, bank: -28_300 },
    { wages: 8_400, accrued: -8_400 },
    { accrued: 8_600, bank: -8_600 },
    { rent: 2_000, bank: -2_000 },
    { insurance: 200, prepaid: -200 },
    { depreciation: 1_050, accumulated: -1_050 },
    { interest: 250, bank: -250 },
    { bank: 1_400, accumulated: 3_000, machinery: -4_000, gain: -400 },
    { loan: 1_500, bank: -1_500 },
    { bank: 5_000, stock: -5_000 },
    { dividends: 2_000, bank: -2_000 },
  ].map((lines) => entry(4, lines)),
];

const books: Books = { layout, accounts, entries };

function entry(month: number, lines: Readonly<Record<string, number>>): BookEntry {
  return {
    month,
    lines: Object.entries(lines).map(([account, dollars]) => ({ account, amount: BigInt(dollars) * 100n })),
  };
}

describe('the cash flow of the worked example', () => {
  const march = [
    ['ProfitLoss', 5_150],
    ['DepreciationDepletionAndAmortization', 1_000],
    ['AdjustmentsNoncashItemsToReconcileNetIncomeLossToCashProvidedByUsedInOperatingActivities', 1_000],
    ['IncreaseDecreaseInAccountsReceivable', -2_500],
    ['IncreaseDecreaseInInventories', -800],
    ['IncreaseDecreaseInPrepaidDeferredExpenseAndOtherAssets', 200],
    ['IncreaseDecreaseInAccountsPayable', 1_200],
    ['IncreaseDecreaseInAccruedLiabilities', 200],
    ['IncreaseDecreaseInOperatingCapital', -1_700],
    ['AdjustmentsToReconcileNetIncomeLossToCashProvidedByUsedInOperatingActivities', -700],
    ['NetCashProvidedByUsedInOperatingActivities', 4_450],
    ['PaymentsToAcquirePropertyPlantAndEquipment', -6_000],
    ['NetCashProvidedByUsedInInvestingActivities', -6_000],
    [
      'CashCashEquivalentsRestrictedCashAndRestrictedCashEquivalentsPeriodIncreaseDecreaseIncludingExchangeRateEffect',
      -1_550,
    ],
    ['CashCashEquivalentsRestrictedCashAndRestrictedCashEquivalents', 22_950],
  ] as const;
  const april = [
    ['ProfitLoss', 6_500],
    ['DepreciationDepletionAndAmortization', 1_050],
    ['GainLossOnSaleOfPropertyPlantEquipment', -400],
    ['AdjustmentsNoncashItemsToReconcileNetIncomeLossToCashProvidedByUsedInOperatingActivities', 650],
    ['IncreaseDecreaseInAccountsReceivable', -1_000],
    ['IncreaseDecreaseInInventories', -500],
    ['IncreaseDecreaseInPrepaidDeferredExpenseAndOtherAssets', 200],
    ['IncreaseDecreaseInAccountsPayable', -800],
    ['IncreaseDecreaseInAccruedLiabilities', -200],
    ['IncreaseDecreaseInOperatingCapital', -2_300],
    ['AdjustmentsToReconcileNetIncomeLossToCashProvidedByUsedInOperatingActivities', -1_650],
    ['NetCashProvidedByUsedInOperatingActivities', 4_850],
    ['ProceedsFromSaleOfPropertyPlantAndEquipment', 1_400],
    ['NetCashProvidedByUsedInInvestingActivities', 1_400],
    ['ProceedsFromIssuanceOfCommonStock', 5_000],
    ['PaymentsOfDividends', -2_000],
    ['RepaymentsOfLongTermDebt', -1_500],
    ['NetCashProvidedByUsedInFinancingActivities', 1_500],
    [
      'CashCashEquivalentsRestrictedCashAndRestrictedCashEquivalentsPeriodIncreaseDecreaseIncludingExchangeRateEffect',
      7_750,
    ],
    ['CashCashEquivalentsRestrictedCashAndRestrictedCashEquivalents', 30_700],
  ] as const;

  it.each([
    ['March', 3, march],
    ['April', 4, april],
  ] as const)('shows the effects on cash of %s (reporting 15.4)', (_name, month, expected) => {
    const statement = flowStatement('cash_flow_statement', books, [month, month]);
    expect(shown(statement)).toEqual(expected);
    expect(statement.validation).toEqual({
      passed: true,
      status: 'passed',
      checks: ['cash_tie', 'totals_foot'],
      failures: [],
      warnings: [],
    });
  });

  it('stores values in the sign of their concept (reporting 15.4, F-8)', () => {
    const [stored = new Map()] = flowStatement('cash_flow_statement', books, [4, 4]).stored;
    const expected = {
      ProfitLoss: 6_500,
      DepreciationDepletionAndAmortization: 1_050,
      GainLossOnSaleOfPropertyPlantEquipment: 400,
      IncreaseDecreaseInAccountsReceivable: 1_000,
      IncreaseDecreaseInInventories: 500,
      IncreaseDecreaseInPrepaidDeferredExpenseAndOtherAssets: -200,
      IncreaseDecreaseInAccountsPayable: -800,
      IncreaseDecreaseInAccruedLiabilities: -200,
      IncreaseDecreaseInOperatingCapital: 2_300,
      NetCashProvidedByUsedInOperatingActivities: 4_850,
      ProceedsFromSaleOfPropertyPlantAndEquipment: 1_400,
      NetCashProvidedByUsedInInvestingActivities: 1_400,
      ProceedsFromIssuanceOfCommonStock: 5_000,
      RepaymentsOfLongTermDebt: 1_500,
      PaymentsOfDividends: 2_000,
      NetCashProvidedByUsedInFinancingActivities: 1_500,
    };
    const dollars = Object.keys(expected).map((name) => [name, Number(stored.get(`rs-gaap:${name}`)) / 100]);
    expect(Object.fromEntries(dollars)).toEqual(expected);
  });
});

describe('the cash flow of a month with every case', () => {
  // The effects are tested with posted entries in live-flows.test.ts.
  it('stores values in the sign of their concept (reporting 15.4a, F-8)', () => {
    const more: readonly BookAccount[] = [
      { id: 'allowance', concept: 'AccountsReceivableNetCurrent' },
      { id: 'provision', concept: 'ProvisionForDoubtfulAccounts' },
      { id: 'fees', concept: 'ProfessionalFees' },
      { id: 'declared', concept: 'DividendsPayableCurrent' },
    ];
    const may = [
      { receivables: 30_000, sales: -30_000 },
      { bank: 26_000, receivables: -26_000 },
      { cost: 11_000, payables: -11_000 },
      { payables: 9_500, bank: -9_500 },
      { prepaid: 600, bank: -600 },
      { insurance: 300, prepaid: -300 },
      { depreciation: 900, accumulated: -900 },
      { provision: 700, allowance: -700 },
      { allowance: 400, receivables: -400 },
      { bank: 5_200, accumulated: 6_000, machinery: -10_000, gain: -1_200 },
      { machinery: 7_000, payables: -7_000 },
      { payables: 4_000, bank: -4_000 },
      { machinery: 9_000, bank: -1_000, loan: -8_000 },
      { bank: 10_000, loan: -10_000 },
      { loan: 2_500, interest: 150, bank: -2_650 },
      { bank: 6_000, stock: -6_000 },
      { fees: 500, stock: -500 },
      { dividends: 3_000, declared: -3_000 },
      { declared: 2_000, bank: -2_000 },
    ].map((lines) => entry(5, lines));
    const month: Books = { layout, accounts: [...accounts, ...more], entries: may };
    const [stored = new Map()] = flowStatement('cash_flow_statement', month, [5, 5]).stored;
    const expected = {
      ProfitLoss: 17_650,
      DepreciationDepletionAndAmortization: 900,
      ProvisionForDoubtfulAccounts: 700,
      GainLossOnSaleOfPropertyPlantEquipment: 1_200,
      OtherNoncashIncomeExpense: -500,
      IncreaseDecreaseInAccountsReceivable: 4_000,
      IncreaseDecreaseInPrepaidDeferredExpenseAndOtherAssets: 300,
      IncreaseDecreaseInAccountsPayable: 4_500,
      NetCashProvidedByUsedInOperatingActivities: 18_750,
      PaymentsToAcquirePropertyPlantAndEquipment: 8_000,
      ProceedsFromSaleOfPropertyPlantAndEquipment: 5_200,
      NetCashProvidedByUsedInInvestingActivities: -2_800,
      ProceedsFromIssuanceOfLongTermDebt: 10_000,
      RepaymentsOfLongTermDebt: 2_500,
      ProceedsFromIssuanceOfCommonStock: 6_000,
      PaymentsOfDividends: 2_000,
      NetCashProvidedByUsedInFinancingActivities: 11_500,
    };
    const dollars = Object.keys(expected).map((name) => [name, Number(stored.get(`rs-gaap:${name}`)) / 100]);
    expect(Object.fromEntries(dollars)).toEqual(expected);
  });
});

describe('the direct cash flow of the worked example', () => {
  it('shows receipts and payments by counterpart, and the same net operating cash (reporting S-17)', () => {
    const direct: Books = { ...books, layout: shippedLayout('BSC-CORP-IS02-CF2') };
    const statement = flowStatement('cash_flow_statement', direct, [4, 4]);
    expect(shown(statement).slice(0, 8)).toEqual([
      ['ProceedsFromCustomers', 44_000],
      ['ProceedsFromOperatingActivities', 44_000],
      ['PaymentsToSuppliers', -28_300 - 8_600],
      ['PaymentsForRent', -2_000],
      ['InterestPaidNet', -250],
      ['PaymentsForOperatingActivities', -39_150],
      ['NetCashProvidedByUsedInOperatingActivities', 4_850],
      ['ProceedsFromSaleOfPropertyPlantAndEquipment', 1_400],
    ]);
    expect(statement.stored[0]?.get('rs-gaap:PaymentsForRent')).toBe(200_000n);
    expect(statement.validation).toMatchObject({ passed: true, failures: [], warnings: [] });
  });

  it('offsets the payment that a purchase on account defers (reporting S-17)', () => {
    const direct: Books = { ...books, layout: shippedLayout('BSC-CORP-IS02-CF2') };
    const bought = [entry(5, { machinery: 700, payables: -700 }), entry(6, { payables: 700, bank: -700 })];
    const of = (month: number) =>
      shown(flowStatement('cash_flow_statement', { ...direct, entries: [...entries, ...bought] }, [month, month]));
    expect(of(5)).toContainEqual(['PaymentsToSuppliers', 700]);
    expect(of(5)).toContainEqual(['PaymentsToAcquirePropertyPlantAndEquipment', -700]);
    expect(of(6)).toContainEqual(['PaymentsToSuppliers', -700]);
  });
});

describe('the equity statement of the worked example', () => {
  const equity = 'StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest';
  it.each([
    [
      3,
      [
        [equity, 56_400],
        ['ProfitLoss', 5_150],
        [equity, 61_550],
      ],
    ],
    [
      4,
      [
        [equity, 61_550],
        ['ProfitLoss', 6_500],
        ['StockIssuedDuringPeriodValueNewIssues', 5_000],
        ['DividendsCommonStock', -2_000],
        [equity, 71_050],
      ],
    ],
  ] as const)('rolls equity forward in month %i (reporting 15.5)', (month, expected) => {
    const statement = flowStatement('equity_statement', books, [month, month]);
    expect(shown(statement)).toEqual(expected);
    expect(statement.validation).toEqual({
      passed: true,
      status: 'passed',
      checks: ['equity_tie'],
      failures: [],
      warnings: [],
    });
  });
});
