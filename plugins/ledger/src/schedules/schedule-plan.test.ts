import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { factsOf } from './schedule-facts.ts';
import { planSchedule, problemOfDefinition, type ScheduleDefinition, type ScheduleMetadata } from './schedule-plan.ts';

const contraAsset = { trait: 'contraAsset', balanceType: 'credit' };
const prepaid = { trait: 'asset', balanceType: 'debit' };

function metadata(more: Partial<ScheduleMetadata>): ScheduleMetadata {
  return {
    method: 'straight_line',
    original_amount: 0,
    residual_value: 0,
    useful_life_months: 0,
    asset_element_id: null,
    periodic_amounts: null,
    ...more,
  };
}

function definition(more: Partial<ScheduleDefinition> = {}): ScheduleDefinition {
  return {
    element_ids: ['expense', 'credit'],
    period_start: '2026-03-01',
    period_end: '2027-02-28',
    monthly_amount: 30_000,
    entry_template: {
      debit_element_id: 'expense',
      credit_element_id: 'credit',
      entry_type: 'closing',
      memo_template: '',
      auto_reverse: false,
    },
    schedule_metadata: null,
    source_transaction_id: null,
    ...more,
  };
}

const van = definition({
  period_start: '2026-01-01',
  period_end: '2028-12-31',
  monthly_amount: 70_000,
  schedule_metadata: metadata({ original_amount: 2_700_000, residual_value: 180_000, asset_element_id: 'van' }),
});
const amounts = (of: ScheduleDefinition): readonly bigint[] =>
  planSchedule(of, null).months.map((month) => month.amount);

describe('the plan of a schedule', () => {
  it('spreads the insurance of example 13.1 over twelve months with 25 facts (ledger L-178, L-179)', () => {
    const insurance = definition({
      schedule_metadata: metadata({ original_amount: 360_000, asset_element_id: 'credit' }),
    });
    expect(problemOfDefinition(insurance)).toBeUndefined();
    const plan = planSchedule(insurance, null);
    expect(amounts(insurance)).toEqual(Array.from({ length: 12 }, () => 30_000n));
    const facts = factsOf(plan, insurance.entry_template, insurance.schedule_metadata, prepaid);
    expect(facts).toHaveLength(25);
    const balances = facts.filter((fact) => fact.elementId === 'credit');
    expect(balances[0]).toEqual({
      elementId: 'credit',
      periodStart: null,
      periodEnd: '2026-03-01',
      amount: 360_000n,
      scope: 'in_scope',
    });
    expect(balances.map((fact) => fact.amount).slice(-2)).toEqual([30_000n, 0n]);
  });

  it('leaves the residual value of the van of example 13.2 in the books (ledger L-178, L-179)', () => {
    expect(problemOfDefinition(van)).toBeUndefined();
    const plan = planSchedule(van, null);
    expect(plan.base).toBe(2_520_000n);
    const facts = factsOf(plan, van.entry_template, van.schedule_metadata, contraAsset);
    expect(facts).toHaveLength(110);
    for (const [index, month] of plan.months.entries()) {
      const spent = 70_000n * BigInt(index + 1);
      expect(month).toMatchObject({ amount: 70_000n, accumulated: spent });
      const [, credit, asset] = facts.slice(2 + 3 * index);
      expect([credit?.amount, asset?.amount]).toEqual([spent, 2_700_000n - spent]);
    }
    expect(facts.at(-1)).toMatchObject({ elementId: 'van', periodEnd: '2028-12-31', amount: 180_000n });
  });

  it('spreads the whole cost when the months are nearer to it; the residual value wins a tie (ledger L-178)', () => {
    const of = (monthly: number): bigint | null =>
      planSchedule(
        definition({
          monthly_amount: monthly,
          schedule_metadata: metadata({ original_amount: 1_200, residual_value: 120 }),
        }),
        null,
      ).base;
    expect([of(100), of(90), of(95)]).toEqual([1_200n, 1_080n, 1_080n]);
  });

  it('puts the rounding difference into the last month (ledger L-178)', () => {
    const rounded = definition({ monthly_amount: 8_333, schedule_metadata: metadata({ original_amount: 100_000 }) });
    expect(amounts(rounded).at(-1)).toBe(100_000n - 11n * 8_333n);
    expect(amounts(definition()).at(-1)).toBe(30_000n);
    expect(planSchedule(definition(), null).base).toBeNull();
  });

  it('counts whole months, whatever the days of the first and last date (ledger L-177)', () => {
    const clipped = definition({ period_start: '2026-01-31', period_end: '2026-03-01' });
    expect(planSchedule(clipped, null).months.map((month) => month.period)).toEqual(['2026-01', '2026-02', '2026-03']);
  });

  it('marks the months through the closed one as history (ledger L-180)', () => {
    const { months } = planSchedule(definition(), '2026-04');
    expect(months.map((month) => month.scope).slice(0, 3)).toEqual(['historical', 'historical', 'in_scope']);
  });

  it('uses the given amounts of each month unchanged (ledger L-178)', () => {
    const curve = [5, 0, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1];
    const custom = definition({
      monthly_amount: 0,
      schedule_metadata: metadata({ method: 'custom', original_amount: 17, periodic_amounts: curve }),
    });
    expect(problemOfDefinition(custom)).toBeUndefined();
    expect(amounts(custom)).toEqual(curve.map(BigInt));
  });

  it.each([
    ['period_end: 2026-02-01 is earlier', definition({ period_end: '2026-02-01' })],
    ['period_end: the schedule has 601 months', definition({ period_start: '2020-01-01', period_end: '2070-01-31' })],
    ['period_start: a calendar date', definition({ period_start: '2026-02-30' })],
    ['entry_template: [credit] must also be in element_ids', definition({ element_ids: ['expense'] })],
    [
      'entry_template: debit_element_id and credit_element_id must be two accounts',
      definition({ entry_template: { ...definition().entry_template, credit_element_id: 'expense' } }),
    ],
    ['monthly_amount: must be above 0', definition({ monthly_amount: 0 })],
    ['the last month would be -10000', definition({ schedule_metadata: metadata({ original_amount: 320_000 }) })],
    ['monthly_amount: the months add up to more', definition({ monthly_amount: Number.MAX_SAFE_INTEGER })],
    [
      'residual_value 2 is more than original_amount 1',
      definition({ schedule_metadata: metadata({ original_amount: 1, residual_value: 2 }) }),
    ],
    ['amounts must not be negative', definition({ schedule_metadata: metadata({ original_amount: -1 }) })],
    ["method 'custom' needs periodic_amounts", definition({ schedule_metadata: metadata({ method: 'custom' }) })],
    [
      'periodic_amounts: 2 amounts are given for 12 months',
      definition({ schedule_metadata: metadata({ original_amount: 2, periodic_amounts: [1, 1] }) }),
    ],
    [
      'periodic_amounts: they add up to 12, and original_amount is 13',
      definition({ schedule_metadata: metadata({ original_amount: 13, periodic_amounts: Array(12).fill(1) }) }),
    ],
    [
      'periodic_amounts: amounts must not be negative',
      definition({
        schedule_metadata: metadata({ original_amount: 10, periodic_amounts: [-1, ...Array(11).fill(1)] }),
      }),
    ],
  ])('is refused with: %s (ledger L-176, L-178)', (words, given) => {
    expect(problemOfDefinition(given)).toContain(words);
  });

  it('adds up to the base, has 2n+1 or 3n+2 facts, and splits cost into depreciation and the rest (ledger L-207)', () => {
    const definitions = fc.record({
      months: fc.integer({ min: 1, max: 60 }),
      cost: fc.integer({ min: 100_000, max: 10 ** 12 }),
      residualPercent: fc.integer({ min: 0, max: 90 }),
      hasAsset: fc.boolean(),
      isPrepaid: fc.boolean(),
    });
    fc.assert(
      fc.property(definitions, ({ months, cost, residualPercent, hasAsset, isPrepaid }) => {
        const residual = Math.floor((cost * residualPercent) / 100);
        const given = definition({
          period_start: '2026-01-15',
          period_end: new Date(Date.UTC(2026, months, 0)).toISOString().slice(0, 10),
          monthly_amount: Math.floor((cost - residual) / months),
          schedule_metadata: metadata({
            original_amount: cost,
            residual_value: residual,
            asset_element_id: hasAsset ? 'asset' : 'credit',
          }),
        });
        expect(problemOfDefinition(given)).toBeUndefined();
        const plan = planSchedule(given, null);
        expect(plan.months.reduce((sum, month) => sum + month.amount, 0n)).toBe(plan.base);
        expect(plan.base).toBe(BigInt(cost - residual));
        const facts = factsOf(plan, given.entry_template, given.schedule_metadata, isPrepaid ? prepaid : contraAsset);
        expect(facts).toHaveLength(hasAsset ? 3 * months + 2 : 2 * months + 1);
        const last = facts.filter((fact) => fact.elementId === 'credit').at(-1);
        expect(last?.amount).toBe(isPrepaid ? 0n : plan.base);
        if (!hasAsset) return;
        for (const month of plan.months) {
          const book = facts.find(
            (fact) =>
              fact.elementId === 'asset' && fact.periodEnd.startsWith(month.period) && fact.periodEnd.slice(8) !== '01',
          );
          expect((book?.amount ?? 0n) + month.accumulated).toBe(BigInt(cost));
        }
      }),
    );
  });
});
