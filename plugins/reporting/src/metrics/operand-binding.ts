import type { FoundNumber } from '@pacioli/blocks';
import { decimal } from '@pacioli/blocks';
import { plusDays } from '@pacioli/core/calendar';
import type { ElementPart } from '@pacioli/taxonomy';
import { groupBy } from '@pacioli/taxonomy/expressions';
import { type Decimal, isInUnitOf } from './metric-numbers.ts';
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

/** The reasons in the order in which answers join them (M-8). */
const reasons = [
  'no fact bound for operand(s)',
  'missing prior period',
  'operand metric not computed',
  'operands of different units',
] as const;

/** An operand without a value. */
interface Missing {
  readonly reason: (typeof reasons)[number];
  readonly label: string;
}

/** The window of the movements of one formula (M-6). */
type CommonWindow =
  | { readonly kind: 'common'; readonly start: string }
  | { readonly kind: 'none in common' }
  | { readonly kind: 'no movements' };

/** The numbers found for an operand. */
interface Candidates {
  readonly bindable: readonly FoundNumber[];
  /** Amounts in other currencies than that of the books (M-5). */
  readonly foreign: readonly FoundNumber[];
}

/** Binds the operands of formulas to facts and to metrics computed before (M-5 to M-7). */
export class OperandBinder {
  readonly #period: RunPeriod;
  readonly #currency: string;
  readonly #numbers: ReadonlyMap<string, readonly FoundNumber[]>;
  /** Elements that have a rule: they bind only to values of this run, never to stored facts. */
  readonly #targets: ReadonlySet<string>;
  readonly #values = new Map<string, RunValue>();

  constructor(run: {
    readonly period: RunPeriod;
    readonly currency: string;
    readonly numbers: readonly FoundNumber[];
    readonly targets: ReadonlySet<string>;
  }) {
    this.#period = run.period;
    this.#currency = run.currency;
    this.#numbers = groupBy(run.numbers, ({ elementId }) => elementId);
    this.#targets = run.targets;
  }

  add(targetId: string, value: RunValue): void {
    this.#values.set(targetId, value);
  }

  bind({ operands }: MetricFormula): BoundFormula | Unbound {
    const window = this.#windowOf(operands);
    const closings = operands.map((operand) => ({ operand, closing: this.#closing(operand, window) }));
    const missing = closings.flatMap(({ closing }) => ('reason' in closing ? closing : []));
    if (window.kind === 'none in common' && missing.length === 0) {
      const movements = operands.filter(({ element }) => element?.periodType === 'duration');
      return { reason: 'no common window of operands', missing: movements.map(({ label }) => label) };
    }
    const begin = this.#beginOf(window);
    const bound = new Map<string, Bound>();
    for (const { operand, closing } of closings) {
      if ('reason' in closing) continue;
      const opening = operand.kind === 'average' ? this.#opening(operand, begin) : undefined;
      if (opening === undefined) bound.set(keyOf(operand), closing);
      else if ('reason' in opening) missing.push(opening);
      else bound.set(keyOf(operand), averageOf(opening, closing));
    }
    if (missing.length > 0) return unboundOf(missing);
    const hasAverage = operands.some(({ kind }) => kind === 'average');
    // Without movements, the period starts on the day after the opening balance.
    const startOfAverage = hasAverage && begin !== undefined ? plusDays(begin, 1) : undefined;
    return {
      valueOf: (operand) => bound.get(keyOf(operand))?.value,
      windowStart: window.kind === 'common' ? window.start : startOfAverage,
      sourceFactIds: [...bound.values()].flatMap(({ sourceFactIds }) => sourceFactIds),
    };
  }

  /** The longest window that all movements have in common. */
  #windowOf(operands: readonly MetricOperand[]): CommonWindow {
    const choices = operands.flatMap(({ element }): readonly ReadonlySet<string>[] => {
      if (element === undefined || element.periodType !== 'duration') return [];
      if (!this.#targets.has(element.id))
        return [new Set(this.#movements(element).bindable.map(({ periodStart }) => periodStart ?? ''))];
      const start = this.#values.get(element.id)?.windowStart;
      return start === undefined ? [] : [new Set([start])];
    });
    const [first, ...others] = choices;
    if (first === undefined) return { kind: 'no movements' };
    const [start] = [...first].filter((each) => others.every((starts) => starts.has(each))).sort();
    return start === undefined ? { kind: 'none in common' } : { kind: 'common', start };
  }

  /** The date of the opening balances (M-7). */
  #beginOf(window: CommonWindow): string | undefined {
    const start = this.#period.start ?? (window.kind === 'common' ? window.start : undefined);
    return start === undefined ? this.#period.priorReportEnd : plusDays(start, -1);
  }

  /** The value of the period: its movement, or the balance at its end. */
  #closing({ element, label }: MetricOperand, window: CommonWindow): Bound | Missing {
    if (element === undefined) return { reason: 'no fact bound for operand(s)', label };
    if (this.#targets.has(element.id)) {
      const missing = { reason: 'operand metric not computed', label: `${label} (metric not computed)` } as const;
      return this.#values.get(element.id) ?? missing;
    }
    const isInstant = element.periodType === 'instant';
    const { bindable, foreign } = isInstant ? this.#balances(element, this.#period.end) : this.#movements(element);
    const number = bindable.find(
      ({ periodStart }) =>
        // Without a common window any fact will do: the caller only needs to know whether the operand has one.
        isInstant || window.kind !== 'common' || periodStart === window.start,
    );
    if (number !== undefined) return boundTo(number);
    if (foreign[0] === undefined) return { reason: 'no fact bound for operand(s)', label };
    return { reason: 'operands of different units', label: `${label} (${foreign[0].unit})` };
  }

  /** The balance on the day before the period. */
  #opening({ element, label }: MetricOperand, begin: string | undefined): Bound | Missing {
    if (element === undefined || begin === undefined)
      return { reason: 'missing prior period', label: `${label} (no prior period)` };
    const { bindable, foreign } = this.#balances(element, begin);
    if (bindable[0] !== undefined) return boundTo(bindable[0]);
    if (foreign[0] === undefined) return { reason: 'missing prior period', label: `${label} (prior @ ${begin})` };
    return { reason: 'operands of different units', label: `${label} (${foreign[0].unit} @ ${begin})` };
  }

  #balances(element: ElementPart, date: string): Candidates {
    return this.#candidates(element, ({ periodType, periodEnd }) => periodType === 'instant' && periodEnd === date);
  }

  /** The movements that end with the period. */
  #movements(element: ElementPart): Candidates {
    return this.#candidates(
      element,
      ({ periodType, periodStart, periodEnd }) =>
        periodType === 'duration' && periodEnd === this.#period.end && periodStart !== null,
    );
  }

  /**
   * The wanted numbers of the element: those of the scenario if there are some, otherwise the actuals (M-5). Those in
   * another unit than the element's are returned apart, because they explain why nothing is bound.
   */
  #candidates(element: ElementPart, isWanted: (number: FoundNumber) => boolean): Candidates {
    const found = (this.#numbers.get(element.id) ?? []).filter(isWanted);
    const planned = found.filter(({ scenarioId }) => scenarioId !== null);
    const preferred = planned.length > 0 ? planned : found;
    const isBindable = ({ unit }: FoundNumber): boolean => isInUnitOf(element, unit, this.#currency);
    return { bindable: preferred.filter(isBindable), foreign: preferred.filter((number) => !isBindable(number)) };
  }
}

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

function unboundOf(missing: readonly Missing[]): Unbound {
  const present = reasons
    .map((reason) => ({ reason, labels: missing.flatMap((each) => (each.reason === reason ? each.label : [])) }))
    .filter(({ labels }) => labels.length > 0);
  return {
    reason: present.map(({ reason }) => reason).join('; '),
    missing: [...new Set(present.flatMap(({ labels }) => labels))],
  };
}
