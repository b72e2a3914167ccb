import {
  boundsOf,
  isCalendarDate,
  maxAmount,
  periodOf,
  periodsBetween,
  problemOfPostingDate,
} from '../values/index.ts';

/** Limit of months of one schedule (ledger L-176). */
export const maxScheduleMonths = 600;

/** The accounts and texts of the entry of each month. */
export interface EntryTemplate {
  readonly debit_element_id: string;
  readonly credit_element_id: string;
  readonly entry_type: 'standard' | 'adjusting' | 'closing' | 'reversing';
  readonly memo_template: string;
  readonly auto_reverse: boolean;
}

/** The asset behind a schedule; amounts in minor units, 0 when unknown. */
export interface ScheduleMetadata {
  readonly method: string;
  readonly original_amount: number;
  readonly residual_value: number;
  readonly useful_life_months: number;
  readonly asset_element_id: string | null;
  readonly periodic_amounts: readonly number[] | null;
}

/** A schedule as its author defined it; `rebuild-schedule` starts from it. */
export interface ScheduleDefinition {
  readonly element_ids: readonly string[];
  /** Calendar dates; only their months count (ledger L-177). */
  readonly period_start: string;
  readonly period_end: string;
  /** Minor units. */
  readonly monthly_amount: number;
  readonly entry_template: EntryTemplate;
  readonly schedule_metadata: ScheduleMetadata | null;
  readonly source_transaction_id: string | null;
}

export type Scope = 'historical' | 'in_scope';

/** One month of a schedule; amounts in minor units. */
export interface ScheduleMonth {
  /** `YYYY-MM`. */
  readonly period: string;
  readonly amount: bigint;
  /** The sum of the amounts of all months up to and including this one. */
  readonly accumulated: bigint;
  readonly scope: Scope;
}

export interface SchedulePlan {
  readonly months: readonly ScheduleMonth[];
  /** The required sum of the amounts; null when none is defined (ledger L-178). */
  readonly base: bigint | null;
}

/** Returns the first problem of a definition, as a sentence; undefined when it can be planned (ledger L-176, L-178). */
export function problemOfDefinition(definition: ScheduleDefinition): string | undefined {
  return problemOfDates(definition) ?? problemOfLegs(definition) ?? problemOfAmounts(definition);
}

function problemOfDates({ period_start, period_end }: ScheduleDefinition): string | undefined {
  for (const [name, date] of Object.entries({ period_start, period_end })) {
    const problem = problemOfPostingDate(date);
    if (problem !== undefined) return `${name}: ${problem}`;
  }
  if (period_end < period_start) return `period_end: ${period_end} is earlier than period_start ${period_start}.`;
  const count = monthCount({ period_start, period_end });
  return count > maxScheduleMonths
    ? `period_end: the schedule has ${count} months; at most ${maxScheduleMonths} are allowed.`
    : undefined;
}

function problemOfLegs(definition: ScheduleDefinition): string | undefined {
  const { debit_element_id: debit, credit_element_id: credit } = definition.entry_template;
  const foreign = [debit, credit].filter((id) => !definition.element_ids.includes(id));
  if (foreign.length > 0)
    return `entry_template: [${foreign.join(', ')}] must also be in element_ids, the accounts that the schedule touches.`;
  return debit === credit ? 'entry_template: debit_element_id and credit_element_id must be two accounts.' : undefined;
}

function problemOfAmounts(definition: ScheduleDefinition): string | undefined {
  const { monthly_amount: monthly, schedule_metadata: metadata } = definition;
  const count = monthCount(definition);
  if (metadata !== null) {
    const { original_amount: original, residual_value: residual } = metadata;
    if (original < 0 || residual < 0) return 'schedule_metadata: amounts must not be negative.';
    if (residual > original)
      return `schedule_metadata: residual_value ${residual} is more than original_amount ${original}.`;
  }
  const curve = metadata?.periodic_amounts ?? null;
  if (curve !== null) return problemOfCurve(curve, count, metadata?.original_amount ?? 0);
  if (metadata?.method === 'custom') return "schedule_metadata: method 'custom' needs periodic_amounts.";
  if (monthly <= 0) return 'monthly_amount: must be above 0, unless periodic_amounts are given.';
  const plan = amountsOf(definition);
  const last = plan.amounts.at(-1) ?? 0n;
  if (last < 0n)
    return `monthly_amount: ${monthly} over ${count} months is more than the ${plan.base} to spread; the last month would be ${last}.`;
  const total = plan.amounts.reduce((sum, amount) => sum + amount, 0n);
  return total > BigInt(maxAmount) ? `monthly_amount: the months add up to more than ${maxAmount}.` : undefined;
}

function problemOfCurve(curve: readonly number[], count: number, original: number): string | undefined {
  if (curve.length !== count)
    return `periodic_amounts: ${curve.length} amounts are given for ${count} months; give one for each month.`;
  if (curve.some((amount) => amount < 0)) return 'periodic_amounts: amounts must not be negative.';
  const sum = curve.reduce((total, amount) => total + BigInt(amount), 0n);
  if (sum > BigInt(maxAmount)) return `periodic_amounts: they add up to more than ${maxAmount}.`;
  return sum === BigInt(original)
    ? undefined
    : `periodic_amounts: they add up to ${sum}, and original_amount is ${original}; both must be equal.`;
}

/**
 * The months of a definition that has no problem. Months up to `closedThrough` (`YYYY-MM`) are history (ledger L-180).
 */
export function planSchedule(definition: ScheduleDefinition, closedThrough: string | null): SchedulePlan {
  const { amounts, base } = amountsOf(definition);
  let accumulated = 0n;
  const months = monthsOf(definition).map((period, index): ScheduleMonth => {
    const amount = amounts[index] ?? 0n;
    accumulated += amount;
    const scope = closedThrough !== null && period <= closedThrough ? 'historical' : 'in_scope';
    return { period, amount, accumulated, scope };
  });
  return { months, base };
}

/**
 * The amount of each month; the last absorbs the rounding difference, so that they add up to the base (ledger L-178).
 */
function amountsOf(definition: ScheduleDefinition): {
  readonly amounts: readonly bigint[];
  readonly base: bigint | null;
} {
  const curve = definition.schedule_metadata?.periodic_amounts ?? null;
  if (curve !== null)
    return { amounts: curve.map(BigInt), base: BigInt(definition.schedule_metadata?.original_amount ?? 0) };
  const count = monthCount(definition);
  const monthly = BigInt(definition.monthly_amount);
  const base = baseOf(definition.schedule_metadata, monthly * BigInt(count));
  const amounts = Array.from({ length: count }, () => monthly);
  if (base !== null) amounts[count - 1] = base - monthly * BigInt(count - 1);
  return { amounts, base };
}

/** The cost, less the residual value when the months add up to nearly that difference (ledger L-178). */
function baseOf(metadata: ScheduleMetadata | null, planned: bigint): bigint | null {
  if (metadata === null || metadata.original_amount === 0) return null;
  const cost = BigInt(metadata.original_amount);
  if (metadata.residual_value === 0) return cost;
  const spread = cost - BigInt(metadata.residual_value);
  return distance(spread, planned) <= distance(cost, planned) ? spread : cost;
}

function distance(one: bigint, other: bigint): bigint {
  return one > other ? one - other : other - one;
}

function monthsOf(definition: Pick<ScheduleDefinition, 'period_start' | 'period_end'>): readonly string[] {
  return periodsBetween(periodOf(definition.period_start), periodOf(definition.period_end));
}

function monthCount(definition: Pick<ScheduleDefinition, 'period_start' | 'period_end'>): number {
  return monthsOf(definition).length;
}

/** True for the last day of a month. */
export function isMonthEnd(date: string): boolean {
  return isCalendarDate(date) && boundsOf(periodOf(date)).end === date;
}
