/** @module-tag sessions */
// Goal: every projected month balances, its cash flow explains its cash, and the same input gives the same months.
// Method: random assumptions over the shipped styles; the pure walk.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { netChangeInCash } from '../src/cash-flow/index.ts';
import { walkForecast } from '../src/forecasts/index.ts';
import type { ForecastMonth } from '../src/forecasts/walk-input.ts';
import {
  amounts,
  aprilBalances,
  aprilIncome,
  forecastInput,
  type InputParts,
  type Plan,
  scheduled,
} from './forecast-input.ts';

const months = ['2026-05', '2026-06', '2026-07', '2026-08'];
const cash = 'rs-gaap:CashCashEquivalentsRestrictedCashAndRestrictedCashEquivalents';
const styles = ['BSC-CORP-IS02-CF1', 'BSC-CORP-IS01-CF1', 'BSC-CORP-IS02-CF2'] as const;

const amount = fc.integer({ min: -20_000_000, max: 20_000_000 }).map((cents) => cents / 100);
const rate = fc.integer({ min: -9_000, max: 9_000 }).map((each) => each / 10_000);
const days = fc.integer({ min: 0, max: 9_000 }).map((each) => each / 100);

/** A plan for any of the lines, in any of the months. */
function planOf(names: readonly string[], value: fc.Arbitrary<number>): fc.Arbitrary<Plan> {
  const byMonth = fc.dictionary(fc.constantFrom(...months), value, { minKeys: 1 });
  return fc.dictionary(fc.constantFrom(...names), fc.oneof(value, byMonth), { maxKeys: names.length });
}

const parts: fc.Arbitrary<InputParts> = fc.record({
  style: fc.constantFrom(...styles),
  months: fc.constant(months),
  levers: fc
    .tuple(
      planOf(['RevenueGrowthRate', 'CostOfRevenueRate'], rate),
      planOf(['DaysSalesOutstanding', 'DaysPayableOutstanding'], days),
    )
    .map(([rates, terms]) => ({ ...rates, ...terms })),
  assertions: planOf(
    [
      'CommonStockValue',
      'GainLossOnDispositionOfAssets',
      'InventoryNet',
      'LongTermDebtNoncurrent',
      'PaymentsOfDividends',
      'PropertyPlantAndEquipmentNet',
      'ReceivablesNetCurrent',
      'RetainedEarningsAccumulatedDeficit',
    ],
    amount,
  ),
  growth: planOf(['GeneralAndAdministrativeExpense', 'InterestExpense'], rate),
  movements: fc
    .tuple(fc.integer({ min: 0, max: 5_000 }), fc.subarray(months))
    .map(([dollars, upTo]) =>
      scheduled({ DepreciationDepletionAndAmortization: dollars, PropertyPlantAndEquipmentNet: -dollars }, upTo),
    ),
});

/** Balances, and the lines of the indirect cash flow that show their changes. */
const workingCapital = [
  ['ReceivablesNetCurrent', 'IncreaseDecreaseInAccountsReceivable'],
  ['InventoryNet', 'IncreaseDecreaseInInventories'],
  ['PrepaidExpenseCurrent', 'IncreaseDecreaseInPrepaidDeferredExpenseAndOtherAssets'],
  ['AccountsPayableCurrent', 'IncreaseDecreaseInAccountsPayable'],
  ['AccruedLiabilitiesCurrent', 'IncreaseDecreaseInAccruedLiabilities'],
] as const;

const valueIn = (values: ReadonlyMap<string, bigint> | undefined, name: string): bigint =>
  values?.get(name.includes(':') ? name : `rs-gaap:${name}`) ?? 0n;

describe('projected months', () => {
  it('balance, and their cash flow has the change of cash, working capital and property on its lines (reporting Q-15, Q-17, W-19, S-36)', () => {
    fc.assert(
      fc.property(parts, (given) => {
        const walk = walkForecast(forecastInput(given));
        expect(walk.months.map(({ period }) => period)).toEqual(months);
        let before: ReadonlyMap<string, bigint> = amounts(aprilBalances);
        for (const { balances = new Map<string, bigint>(), cashFlow, income } of walk.months) {
          const change = (name: string): bigint => valueIn(balances, name) - valueIn(before, name);
          expect(valueIn(balances, 'Assets')).toBe(valueIn(balances, 'LiabilitiesAndStockholdersEquity'));
          const after = valueIn(balances, 'CashAndCashEquivalentsAtCarryingValue');
          expect(valueIn(cashFlow, netChangeInCash)).toBe(change('CashAndCashEquivalentsAtCarryingValue'));
          expect(valueIn(cashFlow, cash)).toBe(after);
          expect(valueIn(cashFlow, 'IncreaseDecreaseInOtherOperatingCapitalNet')).toBe(0n);
          if (given.style !== 'BSC-CORP-IS02-CF2') {
            expect(valueIn(cashFlow, 'ProfitLoss')).toBe(valueIn(income, 'ProfitLoss'));
            for (const [balance, line] of workingCapital) expect(valueIn(cashFlow, line)).toBe(change(balance));
          }
          // Property falls by depreciation and by sales, of which investing has the carrying amount and the gain.
          const gain = valueIn(income, 'GainLossOnDispositionOfAssets');
          const depreciation = valueIn(income, 'DepreciationDepletionAndAmortization');
          expect(valueIn(cashFlow, 'NetCashProvidedByUsedInInvestingActivities')).toBe(
            gain - depreciation - change('PropertyPlantAndEquipmentNet'),
          );
          before = balances;
        }
      }),
      { numRuns: 25 },
    );
  });

  it('add net income less dividends to the earnings, unless those are asserted (reporting Q-15, Q-16)', () => {
    fc.assert(
      fc.property(parts, (given) => {
        const { RetainedEarningsAccumulatedDeficit: _stated, ...assertions } = given.assertions ?? {};
        const input = forecastInput({ ...given, assertions });
        let before = 2_605_000n;
        for (const { period, balances, income } of walkForecast(input).months) {
          const paid = input.assertions.get('rs-gaap:PaymentsOfDividends')?.get(period);
          const paidCents = paid === undefined ? 0n : BigInt(paid.times(100).toFixed(0));
          const after = valueIn(balances, 'RetainedEarningsAccumulatedDeficit');
          expect(after - before).toBe(valueIn(income, 'NetIncomeLoss') - paidCents);
          before = after;
        }
      }),
      { numRuns: 8 },
    );
  });

  it('are the same for the same input, whatever the order of the assumptions (reporting Q-21)', () => {
    const reversed = (plan: Plan = {}): Plan => Object.fromEntries(Object.entries(plan).toReversed());
    const textOf = (walked: readonly ForecastMonth[]): string =>
      JSON.stringify(
        walked.map(({ income, balances, cashFlow }) =>
          [income, balances, cashFlow ?? new Map()].map((each) => [...each].map(String).toSorted()),
        ),
      );
    fc.assert(
      fc.property(parts, (given) => {
        const { levers, assertions, growth } = given;
        const other = { levers: reversed(levers), assertions: reversed(assertions), growth: reversed(growth) };
        const one = walkForecast(forecastInput(given));
        const two = walkForecast(forecastInput({ ...given, ...other }));
        expect(textOf(two.months)).toBe(textOf(one.months));
        expect(two.skipped).toEqual(one.skipped);
      }),
      { numRuns: 8 },
    );
  });

  it('continue a walk that stops earlier (reporting Q-11)', () => {
    fc.assert(
      fc.property(parts, (given) => {
        const whole = walkForecast(forecastInput(given)).months;
        const short = walkForecast(forecastInput({ ...given, months: months.slice(0, 2) })).months;
        expect(short).toEqual(whole.slice(0, 2));
      }),
      { numRuns: 8 },
    );
  });

  it('keep the anchor when nothing is assumed and nothing moves (reporting Q-13 a)', () => {
    const { months: held } = walkForecast(forecastInput({ movements: [] }));
    for (const { income } of held) {
      for (const [name, dollars] of Object.entries(aprilIncome)) {
        expect(valueIn(income, name)).toBe(BigInt(dollars * 100));
      }
    }
  });
});
