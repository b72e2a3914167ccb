/** @module-tag sessions */
// Goal: the projection has the figures of the worked example and keeps the laws of statements.
// Method: the pure walk over the shipped statements and drivers; figures in dollars.
import { describe, expect, it } from 'vitest';
import { aprilBalances, aprilIncome, exampleAssumptions, lines, scheduled, walked } from './forecast-input.ts';

describe('the forecast of the worked example', () => {
  const { months, skipped, diagnostics } = walked(exampleAssumptions);

  it('projects the income statement of the specification (reporting 15.7)', () => {
    expect(
      lines(
        months,
        'income',
        'Revenues',
        'CostOfRevenue',
        'GrossProfit',
        'GeneralAndAdministrativeExpense',
        'DepreciationDepletionAndAmortization',
        'OperatingExpenses',
        'OperatingIncomeLoss',
        'InterestExpense',
        'NetIncomeLoss',
      ),
    ).toEqual({
      Revenues: [45_900, 46_818, 47_754.36],
      CostOfRevenue: [27_540, 28_090.8, 28_652.62],
      GrossProfit: [18_360, 18_727.2, 19_101.74],
      GeneralAndAdministrativeExpense: [10_918, 10_918, 10_918],
      DepreciationDepletionAndAmortization: [1_050, 1_050, 1_050],
      OperatingExpenses: [11_968, 11_968, 11_968],
      OperatingIncomeLoss: [6_392, 6_759.2, 7_133.74],
      InterestExpense: [250, 250, 250],
      NetIncomeLoss: [6_142, 6_509.2, 6_883.74],
    });
    expect({ skipped, diagnostics }).toEqual({ skipped: [], diagnostics: [] });
  });

  it('projects the balance sheet of the specification (reporting 15.7)', () => {
    expect(
      lines(
        months,
        'balances',
        'ReceivablesNetCurrent',
        'InventoryNet',
        'PrepaidExpenseCurrent',
        'PropertyPlantAndEquipmentNet',
        'CashAndCashEquivalentsAtCarryingValue',
        'Assets',
        'AccountsPayableCurrent',
        'AccruedLiabilitiesCurrent',
        'LongTermDebtNoncurrent',
        'CommonStockValue',
        'RetainedEarningsAccumulatedDeficit',
        'LiabilitiesAndStockholdersEquity',
      ),
    ).toEqual({
      ReceivablesNetCurrent: [22_950, 23_409, 23_877.18],
      InventoryNet: [13_300, 13_300, 13_300],
      PrepaidExpenseCurrent: [1_800, 1_600, 1_400],
      PropertyPlantAndEquipmentNet: [43_900, 42_850, 41_800],
      CashAndCashEquivalentsAtCarryingValue: [37_758, 45_278.52, 53_168.81],
      Assets: [119_708, 126_437.52, 133_545.99],
      AccountsPayableCurrent: [11_016, 11_236.32, 11_461.05],
      AccruedLiabilitiesCurrent: [3_000, 3_000, 3_000],
      LongTermDebtNoncurrent: [28_500, 28_500, 28_500],
      CommonStockValue: [45_000, 45_000, 45_000],
      RetainedEarningsAccumulatedDeficit: [32_192, 38_701.2, 45_584.94],
      LiabilitiesAndStockholdersEquity: [119_708, 126_437.52, 133_545.99],
    });
  });

  it('projects the cash flow of the specification, without a reconciling item (reporting 15.7, F-8)', () => {
    const change =
      'CashCashEquivalentsRestrictedCashAndRestrictedCashEquivalentsPeriodIncreaseDecreaseIncludingExchangeRateEffect';
    const stored = lines(
      months,
      'cashFlow',
      'ProfitLoss',
      'DepreciationDepletionAndAmortization',
      'IncreaseDecreaseInAccountsReceivable',
      'IncreaseDecreaseInPrepaidDeferredExpenseAndOtherAssets',
      'IncreaseDecreaseInAccountsPayable',
      'IncreaseDecreaseInOtherOperatingCapitalNet',
      change,
    );
    expect(stored).toEqual({
      ProfitLoss: [6_142, 6_509.2, 6_883.74],
      DepreciationDepletionAndAmortization: [1_050, 1_050, 1_050],
      // Stored under the name of the concept: an increase of receivables is positive.
      IncreaseDecreaseInAccountsReceivable: [1_450, 459, 468.18],
      IncreaseDecreaseInPrepaidDeferredExpenseAndOtherAssets: [-200, -200, -200],
      IncreaseDecreaseInAccountsPayable: [1_116, 220.32, 224.73],
      IncreaseDecreaseInOtherOperatingCapitalNet: [undefined, undefined, undefined],
      [change]: [7_058, 7_520.52, 7_890.29],
    });
  });
});

describe('the steps of a month', () => {
  const capital = { DaysSalesOutstanding: 15, DaysPayableOutstanding: 12 };

  it('holds every line without assumptions (reporting Q-13 a, Q-15)', () => {
    const { months } = walked({ movements: [] });
    expect(lines(months, 'income', 'Revenues', 'NetIncomeLoss')).toEqual({
      Revenues: [45_000, 45_000, 45_000],
      NetIncomeLoss: [6_500, 6_500, 6_500],
    });
    expect(lines(months, 'balances', 'InventoryNet', 'LongTermDebtNoncurrent')).toEqual({
      InventoryNet: [13_300, 13_300, 13_300],
      LongTermDebtNoncurrent: [28_500, 28_500, 28_500],
    });
  });

  it('leaves out a rule without all of its drivers, and names a driver without a value (reporting Q-9, Q-14)', () => {
    const { months, skipped } = walked({
      levers: { ...capital, RevenueGrowthRate: { '2026-05': 0.1, '2026-07': 0.1 } },
    });
    expect(lines(months, 'income', 'Revenues', 'CostOfRevenue')).toEqual({
      Revenues: [49_500, 49_500, 54_450],
      CostOfRevenue: [27_000, 27_000, 27_000],
    });
    expect(skipped).toEqual([
      expect.objectContaining({
        period: '2026-06',
        reason: 'unbound operand(s)',
        qname: 'rs-gaap:Revenues',
        missing: ['rs-driver:RevenueGrowthRate'],
      }),
    ]);
  });

  it('lets an assertion displace a rule, on the line or on all lines below it (reporting Q-13 e)', () => {
    const asserted = walked({ levers: capital, assertions: { ReceivablesNetCurrent: 20_000 } });
    expect(lines(asserted.months, 'balances', 'ReceivablesNetCurrent')).toEqual({
      ReceivablesNetCurrent: [20_000, 20_000, 20_000],
    });
    expect(asserted.skipped.map(({ reason, qname }) => [reason, qname])).toEqual(
      Array.from({ length: 3 }, () => ['displaced by line assertion', 'rs-gaap:ReceivablesNetCurrent']),
    );
    const below = walked({
      levers: { RevenueGrowthRate: 0.1 },
      assertions: { RevenueFromContractWithCustomerExcludingAssessedTax: { '2026-06': 50_000 } },
    });
    // The growth of July starts from the asserted revenue of June.
    expect(lines(below.months, 'income', 'Revenues')).toEqual({ Revenues: [49_500, 50_000, 55_000] });
    expect(below.skipped.map(({ period, reason }) => [period, reason])).toEqual([
      ['2026-06', 'displaced by line assertion'],
    ]);
  });

  it('scales only the lines that are not stated, each rounded half to even (reporting Q-13 g, Q-18)', () => {
    const income = { ...aprilIncome, InterestAndDividendIncomeOperating: 0 };
    const { months } = walked({
      income: {
        ...income,
        CostOfGoodsAndServicesSold: 20_000,
        OtherCostOfOperatingRevenue: 7_000,
      },
      levers: { CostOfRevenueRate: 0.7 },
      assertions: { OtherCostOfOperatingRevenue: { '2026-05': 1_500 } },
    });
    expect(
      lines(months, 'income', 'CostOfGoodsAndServicesSold', 'OtherCostOfOperatingRevenue', 'CostOfRevenue'),
    ).toEqual({
      CostOfGoodsAndServicesSold: [30_000, 30_000, 30_000],
      OtherCostOfOperatingRevenue: [1_500, 1_500, 1_500],
      CostOfRevenue: [31_500, 31_500, 31_500],
    });
  });

  it('says that nothing below a total can be scaled (reporting Q-13 g)', () => {
    const { skipped } = walked({
      months: ['2026-05'],
      income: { ...aprilIncome, CostOfGoodsAndServicesSold: 0, CostOfRevenue: 0, GrossProfit: 45_000 },
      levers: { CostOfRevenueRate: 0.5 },
    });
    expect(skipped.map(({ reason }) => reason)).toEqual(['no amount below the line to scale']);
  });

  it('drops the amount of a schedule in the month after its last, and moves no balance from then on (reporting Q-15a)', () => {
    const movements = scheduled({ GeneralAndAdministrativeExpense: 200, PrepaidExpenseCurrent: -200 }, ['2026-05']);
    const { months } = walked({ movements });
    expect(lines(months, 'income', 'GeneralAndAdministrativeExpense')).toEqual({
      GeneralAndAdministrativeExpense: [10_600, 10_400, 10_400],
    });
    expect(lines(months, 'balances', 'PrepaidExpenseCurrent')).toEqual({
      PrepaidExpenseCurrent: [1_800, 1_800, 1_800],
    });
  });

  it('clamps the run-off of a schedule at zero (reporting Q-13 b)', () => {
    const { months, skipped } = walked({
      months: ['2026-05'],
      movements: [{ qname: 'rs-gaap:InterestExpense', period: '2026-04', amount: 30_000n }],
    });
    expect(lines(months, 'income', 'InterestExpense')).toEqual({ InterestExpense: [0] });
    expect(skipped.map(({ reason }) => reason)).toEqual(['schedule run-off clamped at zero']);
  });

  it('takes a recorded disposal into its month alone (reporting Q-15a)', () => {
    const sale = { period: '2026-06', PropertyPlantAndEquipmentNet: -900, GainLossOnDispositionOfAssets: 350 };
    const { months } = walked({
      assertions: { GainLossOnDispositionOfAssets: { '2026-05': 0 } },
      movements: [
        { qname: 'rs-gaap:PropertyPlantAndEquipmentNet', period: sale.period, amount: -90_000n },
        { qname: 'rs-gaap:GainLossOnDispositionOfAssets', period: sale.period, amount: 35_000n },
      ],
    });
    expect(lines(months, 'income', 'GainLossOnDispositionOfAssets')).toEqual({
      GainLossOnDispositionOfAssets: [0, 350, 0],
    });
    expect(lines(months, 'balances', 'PropertyPlantAndEquipmentNet')).toEqual({
      PropertyPlantAndEquipmentNet: [44_950, 44_050, 44_050],
    });
    // The proceeds are the carrying amount and the gain.
    const proceeds = lines(months, 'cashFlow', 'NetCashProvidedByUsedInInvestingActivities');
    expect(proceeds['NetCashProvidedByUsedInInvestingActivities']?.[1]).toBe(1_250 - 1_050);
  });

  it('shows depreciation without a schedule as an equal purchase of property (reporting W-19)', () => {
    const { months, diagnostics } = walked({
      movements: [],
      levers: { ...capital, RevenueGrowthRate: 0.1 },
      assertions: { GainLossOnDispositionOfAssets: 0 },
    });
    expect(lines(months, 'balances', 'PropertyPlantAndEquipmentNet')).toEqual({
      PropertyPlantAndEquipmentNet: [44_950, 44_950, 44_950],
    });
    expect(
      lines(
        months,
        'cashFlow',
        'DepreciationDepletionAndAmortization',
        'PaymentsToAcquirePropertyPlantAndEquipment',
        'NetCashProvidedByUsedInInvestingActivities',
      ),
    ).toEqual({
      DepreciationDepletionAndAmortization: [1_050, 1_050, 1_050],
      PaymentsToAcquirePropertyPlantAndEquipment: [1_050, 1_050, 1_050],
      NetCashProvidedByUsedInInvestingActivities: [-1_050, -1_050, -1_050],
    });
    // No other line pays for it: the changes of receivables and payables are those of their balances.
    expect(lines(months, 'balances', 'ReceivablesNetCurrent', 'AccountsPayableCurrent')).toEqual({
      ReceivablesNetCurrent: [24_750, 27_225, 29_947.5],
      AccountsPayableCurrent: [10_800, 10_800, 10_800],
    });
    expect(
      lines(months, 'cashFlow', 'IncreaseDecreaseInAccountsReceivable', 'IncreaseDecreaseInAccountsPayable'),
    ).toEqual({
      IncreaseDecreaseInAccountsReceivable: [3_250, 2_475, 2_722.5],
      IncreaseDecreaseInAccountsPayable: [900, undefined, undefined],
    });
    expect(diagnostics).toEqual([
      'depreciation carried without a schedule: rs-gaap:DepreciationDepletionAndAmortization from 2026-05',
    ]);
  });

  it('shows the purchase also where the balance sheet has no property (reporting W-19)', () => {
    const { months } = walked({
      months: ['2026-05'],
      balances: {
        ...aprilBalances,
        PropertyPlantAndEquipmentNet: 0,
        AssetsNoncurrent: 0,
        LongTermDebtNoncurrent: 0,
        LiabilitiesNoncurrent: 0,
        Liabilities: 12_900,
        CommonStockValue: 28_550,
        StockholdersEquity: 54_600,
        StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest: 54_600,
        Assets: 67_500,
        LiabilitiesAndStockholdersEquity: 67_500,
      },
      levers: capital,
      assertions: { GainLossOnDispositionOfAssets: 0 },
      movements: [],
    });
    expect(
      lines(months, 'cashFlow', 'PaymentsToAcquirePropertyPlantAndEquipment', 'IncreaseDecreaseInAccountsReceivable'),
    ).toEqual({ PaymentsToAcquirePropertyPlantAndEquipment: [1_050], IncreaseDecreaseInAccountsReceivable: [1_000] });
  });

  it('pays asserted dividends from earnings and shows asserted debt and stock in financing (reporting Q-16, Q-17)', () => {
    const { months } = walked({
      assertions: {
        PaymentsOfDividends: { '2026-05': 2_000 },
        LongTermDebtNoncurrent: { '2026-05': 27_000, '2026-06': 40_000 },
        CommonStockValue: { '2026-06': 46_000 },
      },
    });
    expect(lines(months, 'balances', 'RetainedEarningsAccumulatedDeficit')).toEqual({
      RetainedEarningsAccumulatedDeficit: [26_050 + 6_500 - 2_000, 30_550 + 6_500, 37_050 + 6_500],
    });
    const flows = lines(
      months,
      'cashFlow',
      'PaymentsOfDividends',
      'RepaymentsOfLongTermDebt',
      'ProceedsFromIssuanceOfLongTermDebt',
      'ProceedsFromIssuanceOfCommonStock',
      'NetCashProvidedByUsedInFinancingActivities',
    );
    expect(flows).toEqual({
      PaymentsOfDividends: [2_000, undefined, undefined],
      RepaymentsOfLongTermDebt: [1_500, undefined, undefined],
      ProceedsFromIssuanceOfLongTermDebt: [undefined, 13_000, undefined],
      ProceedsFromIssuanceOfCommonStock: [undefined, 1_000, undefined],
      NetCashProvidedByUsedInFinancingActivities: [-3_500, 14_000, undefined],
    });
  });

  it('projects only stated balances without a balance sheet to start from (reporting Q-19)', () => {
    const { months, diagnostics } = walked({ balances: undefined, levers: capital });
    expect(months.map(({ cashFlow }) => cashFlow)).toEqual([undefined, undefined, undefined]);
    expect([...(months[0]?.balances ?? [])].toSorted()).toEqual([
      ['rs-gaap:AccountsPayableCurrent', 1_080_000n],
      ['rs-gaap:ReceivablesNetCurrent', 2_250_000n],
    ]);
    expect(diagnostics[0]).toContain('no balance sheet at 2026-04');
  });

  it('puts what an unbalanced anchor leaves open on the reconciling line (reporting Q-17)', () => {
    const { months } = walked({
      balances: { ...aprilBalances, InventoryNet: 13_400, AssetsCurrent: 67_600, Assets: 112_550 },
      movements: [],
    });
    expect(
      lines(months, 'cashFlow', 'IncreaseDecreaseInOtherOperatingCapitalNet')[
        'IncreaseDecreaseInOtherOperatingCapitalNet'
      ]?.[0],
    ).toBe(100);
  });
});
