import { decimal, type Rule } from '@pacioli/blocks';
import { driverRules } from '../src/forecasts/driver-rules.ts';
import { walkForecast } from '../src/forecasts/index.ts';
import type { ForecastMonth, LineMovement, MonthValues, WalkInput } from '../src/forecasts/walk-input.ts';
import { concept, shippedLayout, shippedLibrary } from './shipped-statements.ts';

/** Dollars by local name of a concept or driver. */
export type Dollars = Readonly<Record<string, number>>;

/** The statements of April of the worked example (reporting 15.2, 15.3). */
export const aprilIncome: Dollars = {
  RevenueFromContractWithCustomerExcludingAssessedTax: 45_000,
  Revenues: 45_000,
  CostOfGoodsAndServicesSold: 27_000,
  CostOfRevenue: 27_000,
  GrossProfit: 18_000,
  GeneralAndAdministrativeExpense: 10_600,
  DepreciationDepletionAndAmortization: 1_050,
  GainLossOnDispositionOfAssets: 400,
  OperatingExpenses: 11_250,
  OperatingIncomeLoss: 6_750,
  InterestExpense: 250,
  NonoperatingIncomeExpense: -250,
  IncomeLossFromContinuingOperationsBeforeIncomeTaxesExtraordinaryItemsNoncontrollingInterest: 6_500,
  IncomeLossFromContinuingOperationsIncludingPortionAttributableToNoncontrollingInterest: 6_500,
  ProfitLoss: 6_500,
  NetIncomeLoss: 6_500,
  NetIncomeLossAvailableToCommonStockholdersBasic: 6_500,
};
export const aprilBalances: Dollars = {
  CashAndCashEquivalentsAtCarryingValue: 30_700,
  ReceivablesNetCurrent: 21_500,
  InventoryNet: 13_300,
  PrepaidExpenseCurrent: 2_000,
  AssetsCurrent: 67_500,
  PropertyPlantAndEquipmentNet: 44_950,
  AssetsNoncurrent: 44_950,
  Assets: 112_450,
  AccountsPayableCurrent: 9_900,
  AccruedLiabilitiesCurrent: 3_000,
  LiabilitiesCurrent: 12_900,
  LongTermDebtNoncurrent: 28_500,
  LiabilitiesNoncurrent: 28_500,
  Liabilities: 41_400,
  CommonStockValue: 45_000,
  RetainedEarningsAccumulatedDeficit: 26_050,
  StockholdersEquity: 71_050,
  StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest: 71_050,
  LiabilitiesAndStockholdersEquity: 112_450,
};

export const cents = (dollars: number): bigint => BigInt(Math.round(dollars * 100));
const qnameOf = (name: string): string => `rs-gaap:${name}`;
export const amounts = (dollars: Dollars) =>
  new Map(Object.entries(dollars).map(([name, value]) => [qnameOf(name), cents(value)]));

/** The same value in every month, or a value for each month. */
export type Plan = Readonly<Record<string, number | Readonly<Record<string, number>>>>;

export function valuesByMonth(plan: Plan, months: readonly string[], prefix: string): ReadonlyMap<string, MonthValues> {
  return new Map(
    Object.entries(plan).map(([name, value]) => {
      const byMonth = typeof value === 'number' ? Object.fromEntries(months.map((month) => [month, value])) : value;
      return [`${prefix}:${name}`, new Map(Object.entries(byMonth).map(([month, each]) => [month, decimal(each)]))];
    }),
  );
}

/** The rules of the shipped driver catalog. */
function shippedDriverRules(): readonly Rule[] {
  const catalogId = shippedLibrary.structureByKey('forecast-drivers')?.id;
  return shippedLibrary.rows.rules
    .filter(({ targetId }) => targetId === catalogId)
    .map((rule) => ({
      id: rule.id,
      structureId: null,
      name: rule.name,
      category: rule.ruleCategory,
      pattern: rule.rulePattern,
      checkKind: null,
      expression: rule.expression,
      variables: rule.variables.map((each) => ({
        name: each.variable_name,
        elementId: each.variable_element_id,
        qname: each.variable_qname,
      })),
      message: null,
      severity: 'error',
      origin: 'native',
      target: null,
      metadata: {},
    }));
}

const months = ['2026-05', '2026-06', '2026-07'];

/** Dollars that a schedule moves on lines in every month, the anchor month included. */
export function scheduled(lines: Dollars, upTo: readonly string[] = months): readonly LineMovement[] {
  return ['2026-04', ...upTo].flatMap((period) =>
    Object.entries(lines).map(([name, dollars]) => ({ qname: qnameOf(name), period, amount: cents(dollars) })),
  );
}

/** The two schedules of the worked example (reporting 15.7). */
export const exampleSchedules = scheduled({
  DepreciationDepletionAndAmortization: 1_050,
  PropertyPlantAndEquipmentNet: -1_050,
  GeneralAndAdministrativeExpense: 200,
  PrepaidExpenseCurrent: -200,
});

export interface InputParts {
  readonly style?: string;
  readonly months?: readonly string[];
  readonly income?: Dollars;
  readonly balances?: Dollars | undefined;
  readonly levers?: Plan;
  readonly assertions?: Plan;
  readonly growth?: Plan;
  readonly movements?: readonly LineMovement[];
}

/** A forecast from April of the worked example. */
export function forecastInput(parts: InputParts = {}): WalkInput {
  const layout = shippedLayout(parts.style ?? 'BSC-CORP-IS02-CF1');
  const over = parts.months ?? months;
  const balances = 'balances' in parts ? parts.balances : aprilBalances;
  const { usable, unusable } = driverRules(shippedDriverRules());
  const named = [...layout.incomeStatement, ...layout.balanceSheet].filter((line) => line.balance !== null);
  const flows = ['PaymentsOfDividends', 'PaymentsOfCapitalDistribution'];
  return {
    layout,
    concepts: [...named.map(({ qname }) => qname.replace('rs-gaap:', '')), ...flows].map(concept),
    digits: 2,
    anchor: {
      period: '2026-04',
      income: amounts(parts.income ?? aprilIncome),
      balances: balances === undefined ? undefined : amounts(balances),
    },
    months: over,
    levers: valuesByMonth(parts.levers ?? {}, over, 'rs-driver'),
    assertions: valuesByMonth(parts.assertions ?? {}, over, 'rs-gaap'),
    growth: valuesByMonth(parts.growth ?? {}, over, 'rs-gaap'),
    rules: usable,
    unusableRules: unusable,
    isDriver: (qname) => qname.startsWith('rs-driver:'),
    movements: parts.movements ?? exampleSchedules,
  };
}

/** The assumptions of the worked example (reporting 15.7). */
export const exampleAssumptions = {
  levers: {
    RevenueGrowthRate: 0.02,
    CostOfRevenueRate: 0.6,
    DaysSalesOutstanding: 15,
    DaysPayableOutstanding: 12,
  },
  growth: { GeneralAndAdministrativeExpense: { '2026-05': 0.03 } },
  assertions: { GainLossOnDispositionOfAssets: 0 },
} satisfies InputParts;

/** The forecast of the example with other parts. */
export const walked = (parts: InputParts = {}) => walkForecast(forecastInput(parts));

/** The values of lines by month, in dollars. */
export function lines(
  months: readonly ForecastMonth[],
  statement: 'income' | 'balances' | 'cashFlow',
  ...names: string[]
): Readonly<Record<string, readonly (number | undefined)[]>> {
  const dollars = (value: bigint | undefined) => (value === undefined ? undefined : Number(value) / 100);
  return Object.fromEntries(
    names.map((name) => [name, months.map((month) => dollars(month[statement]?.get(`rs-gaap:${name}`)))]),
  );
}
