import type { FoundNumber } from '@pacioli/blocks';
import { decimal } from '@pacioli/blocks';
import { plusDays } from '@pacioli/core/calendar';
import { groupBy } from '@pacioli/taxonomy/expressions';
import type { Decimal } from './metric-numbers.ts';
import type { MetricFormula, MetricOperand } from './metric-plan.ts';

/** The dates of a run. */
export interface RunPeriod {
  readonly end: string;
  /** Null if the caller gave no start. */
  readonly start: string | null;
  /** The end of the report before `end`; undefined if there is none (M-7). */
  readonly priorReportEnd: string | undefined;
}

/** The value of a metric that was computed in this run. */
export interface RunValue {
  /** Unrounded, so that a product of metrics does not accumulate their rounding. */
  readonly value: Decimal;
  /** The start of the window that its movements cover; undefined without any. */
  readonly windowStart: string | undefined;
  readonly sourceFactIds: readonly string[];
}

/** The values of one formula. */
export interface BoundFormula {
  valueOf(operand: { readonly kind: string; readonly name: string }): Decimal | undefined;
  readonly windowStart: string | undefined;
  readonly sourceFactIds: readonly string[];
}

/** The reason why a formula has no value, with the operands concerned (M-8). */
export interface Unbound {
  readonly reason: string;
  readonly missing: readonly string[];
}

interface Bound {
  readonly value: Decimal;
  readonly sourceFactIds: readonly string[];
}

/** Binds the operands of formulas to facts and to metrics computed before (M-5 to M-7). */
export class OperandBinder {
  readonly #period: RunPeriod;
  readonly #facts: ReadonlyMap<string, readonly FoundNumber[]>;
  /** The metrics that this run computes, whether or not they have a value yet. */
  readonly #targets: ReadonlySet<string>;
  readonly #values = new Map<string, RunValue>();

  constructor(period: RunPeriod, facts: readonly FoundNumber[], targets: ReadonlySet<string>) {
    this.#period = period;
    this.#facts = groupBy(facts, ({ elementId }) => elementId);
    this.#targets = targets;
  }

  add(targetId: string, value: RunValue): void {
    this.#values.set(targetId, value);
  }

  bind({ operands }: MetricFormula): BoundFormula | Unbound {
    const window = this.#windowOf(operands);
    const ends = operands.map((operand) => ({ operand, end: this.#endValue(operand, window) }));
    const absent = ends.flatMap(({ operand, end }) => (end === 'absent' ? operand.label : []));
    const uncomputed = ends.flatMap(({ operand, end }) =>
      end === 'not computed' ? `${operand.label} (metric not computed)` : [],
    );
    if (window === noCommonWindow && absent.length + uncomputed.length === 0) {
      const movements = operands.filter(({ element }) => element?.periodType === 'duration');
      return { reason: 'no common window of operands', missing: movements.map(({ label }) => label) };
    }
    const begin = this.#beginOf(window === noCommonWindow ? undefined : window);
    const prior: string[] = [];
    const bound = new Map<string, Bound>();
    for (const { operand, end } of ends) {
      if (typeof end === 'string') continue;
      const opening = operand.kind === 'average' ? this.#balance(operand.element?.id, begin) : undefined;
      if (operand.kind === 'average' && opening === undefined) prior.push(priorLabel(operand.label, begin));
      bound.set(keyOf(operand), opening === undefined ? end : averageOf(opening, end));
    }
    const problem = unboundOf({ absent, prior, uncomputed });
    if (problem !== undefined) return problem;
    const hasAverage = operands.some(({ kind }) => kind === 'average');
    return {
      valueOf: (operand) => bound.get(keyOf(operand))?.value,
      // A metric of averages alone covers the days between its two balances.
      windowStart:
        typeof window === 'string' ? window : hasAverage && begin !== undefined ? plusDays(begin, 1) : undefined,
      sourceFactIds: [...bound.values()].flatMap(({ sourceFactIds }) => sourceFactIds),
    };
  }

  /** The longest window that all movements have in common; undefined if there are no movements (M-6). */
  #windowOf(operands: readonly MetricOperand[]): string | undefined | typeof noCommonWindow {
    const choices = operands.flatMap(({ element }): readonly ReadonlySet<string>[] => {
      if (element === undefined || element.periodType !== 'duration') return [];
      if (!this.#targets.has(element.id)) return [new Set(this.#movements(element.id).keys())];
      const start = this.#values.get(element.id)?.windowStart;
      return start === undefined ? [] : [new Set([start])];
    });
    const [first, ...others] = choices;
    if (first === undefined) return undefined;
    const common = [...first].filter((start) => others.every((starts) => starts.has(start))).sort();
    return common[0] ?? noCommonWindow;
  }

  /** The date of the opening balances (M-7). */
  #beginOf(window: string | undefined): string | undefined {
    const start = this.#period.start ?? window;
    return start === undefined ? this.#period.priorReportEnd : plusDays(start, -1);
  }

  #endValue(
    { element }: MetricOperand,
    window: string | undefined | typeof noCommonWindow,
  ): Bound | 'absent' | 'not computed' {
    if (element === undefined) return 'absent';
    if (this.#targets.has(element.id)) return this.#values.get(element.id) ?? 'not computed';
    if (element.periodType === 'instant') return this.#balance(element.id, this.#period.end) ?? 'absent';
    const movements = this.#movements(element.id);
    // Without a common window any movement shows that the operand itself is not missing.
    const movement = window === noCommonWindow ? [...movements.values()][0] : movements.get(window ?? '');
    return movement === undefined ? 'absent' : boundTo(movement);
  }

  #balance(elementId: string | undefined, date: string | undefined): Bound | undefined {
    const found = this.#preferred(
      elementId,
      ({ periodType, periodEnd }) => periodType === 'instant' && periodEnd === date,
    );
    return found[0] === undefined ? undefined : boundTo(found[0]);
  }

  /** The movements that end with the period, by their start. */
  #movements(elementId: string): ReadonlyMap<string, FoundNumber> {
    const { end } = this.#period;
    const found = this.#preferred(
      elementId,
      ({ periodType, periodStart, periodEnd }) =>
        periodType === 'duration' && periodEnd === end && periodStart !== null,
    );
    return new Map(found.map((number) => [number.periodStart ?? '', number]));
  }

  /** The facts of the scenario if it has any, otherwise the actuals (M-5). */
  #preferred(elementId: string | undefined, isWanted: (number: FoundNumber) => boolean): readonly FoundNumber[] {
    const found = (this.#facts.get(elementId ?? '') ?? []).filter(isWanted);
    const planned = found.filter(({ scenarioId }) => scenarioId !== null);
    return planned.length > 0 ? planned : found;
  }
}

const noCommonWindow = Symbol('no common window');

/** The dates of the opening balances that formulas with averages may need (M-7). */
export function beginDates(period: RunPeriod, numbers: readonly FoundNumber[]): readonly string[] {
  if (period.start !== null) return [plusDays(period.start, -1)];
  const starts = numbers.flatMap(({ periodType, periodStart }) =>
    periodType === 'duration' && periodStart !== null ? plusDays(periodStart, -1) : [],
  );
  return [...new Set([...starts, ...(period.priorReportEnd === undefined ? [] : [period.priorReportEnd])])];
}

function keyOf({ kind, name }: { readonly kind: string; readonly name: string }): string {
  return `${kind} ${name}`;
}

function boundTo(number: FoundNumber): Bound {
  return { value: decimal(number.value), sourceFactIds: [number.factId] };
}

function averageOf(begin: Bound, end: Bound): Bound {
  return {
    value: begin.value.plus(end.value).div(2),
    sourceFactIds: [...begin.sourceFactIds, ...end.sourceFactIds],
  };
}

function priorLabel(label: string, begin: string | undefined): string {
  return begin === undefined ? `${label} (no prior period)` : `${label} (prior @ ${begin})`;
}

function unboundOf(lists: {
  readonly absent: readonly string[];
  readonly prior: readonly string[];
  readonly uncomputed: readonly string[];
}): Unbound | undefined {
  const reasons = [
    ['no fact bound for operand(s)', lists.absent],
    ['missing prior period', lists.prior],
    ['operand metric not computed', lists.uncomputed],
  ] as const;
  const present = reasons.filter(([, labels]) => labels.length > 0);
  if (present.length === 0) return undefined;
  return {
    reason: present.map(([reason]) => reason).join('; '),
    missing: [...new Set(present.flatMap(([, labels]) => labels))],
  };
}
