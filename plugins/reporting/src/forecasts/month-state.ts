import type { Decimal } from '../metrics/index.ts';
import { type ConceptLookUp, type DriverRule, evaluateRule } from './driver-rules.ts';
import { majorOf, minorOf, scaled } from './exact-amounts.ts';
import type { LineTree } from './line-tree.ts';
import type { MonthValues, SkippedStep, WalkInput } from './walk-input.ts';

/** The amounts of a month from which its statements follow, by line. */
export interface OwnAmounts {
  readonly income: ReadonlyMap<string, bigint>;
  readonly balances: ReadonlyMap<string, bigint>;
}

export interface Trees {
  readonly income: LineTree;
  readonly balances: LineTree;
}

type Problem = Pick<SkippedStep, 'reason'> & Partial<Pick<SkippedStep, 'missing'>>;

const displaced: Problem = { reason: 'displaced by line assertion' };

type Skip = (step: Omit<SkippedStep, 'period'>) => void;

/** A month while it is projected: it starts as the month before and takes one step after another. */
export class MonthState {
  readonly income: Map<string, bigint>;
  readonly balances: Map<string, bigint>;
  readonly #input: WalkInput;
  readonly #trees: Trees;
  readonly #period: string;
  readonly #before: OwnAmounts;
  readonly #skip: Skip;
  /** Lines whose value the author states. */
  readonly #pinned = new Set<string>();
  /** Lines of which an assertion or a rule states the value, so that nothing is added to it. */
  readonly #stated = new Set<string>();

  constructor(input: WalkInput, trees: Trees, month: { period: string; before: OwnAmounts; skip: Skip }) {
    this.#input = input;
    this.#trees = trees;
    this.#period = month.period;
    this.#before = month.before;
    this.#skip = month.skip;
    this.income = new Map(month.before.income);
    this.balances = new Map(month.before.balances);
  }

  isStated(qname: string): boolean {
    return this.#stated.has(qname);
  }

  /** Changes an income line by what schedules bring more or less than in the month before (Q-13 b). */
  changeIncome(qname: string, change: bigint): void {
    if (change === 0n || !this.#trees.income.has(qname)) return;
    const before = this.income.get(qname) ?? 0n;
    const after = before + change;
    const isOvershot = change < 0n && before > 0n && after < 0n;
    this.income.set(qname, isOvershot ? 0n : after);
    if (isOvershot) {
      this.#skip({ ruleId: null, qname, reason: 'schedule run-off clamped at zero', missing: [] });
    }
  }

  /** Grows lines by their rate; months without a rate hold the line (Q-13 c). */
  grow(growth: ReadonlyMap<string, MonthValues>): void {
    for (const qname of [...growth.keys()].toSorted()) {
      this.#pinned.add(qname);
      const rate = growth.get(qname)?.get(this.#period);
      if (rate === undefined) continue;
      const before = this.#before.income.get(qname);
      if (before === undefined) this.#skip({ ruleId: null, qname, reason: 'unbound operand(s)', missing: [qname] });
      else this.income.set(qname, this.#minor(this.#major(before).times(rate.plus(1))));
    }
  }

  /** Sets lines to what the author asserts for the month (Q-13 d, Q-15). */
  assertLines(assertions: ReadonlyMap<string, MonthValues>): void {
    for (const qname of [...assertions.keys()].toSorted()) {
      const value = assertions.get(qname)?.get(this.#period);
      const own = this.#ownOf(qname);
      if (value === undefined || own === undefined) continue;
      own.set(qname, this.#minor(value));
      this.#pinned.add(qname);
      this.#stated.add(qname);
    }
  }

  /** Applies a driver rule, or says why the line keeps its value (Q-13 e to g). */
  applyRule(rule: DriverRule): void {
    const problem = this.#project(rule);
    if (problem !== undefined) this.#skip({ ruleId: rule.id, qname: rule.target, missing: [], ...problem });
  }

  #project(rule: DriverRule): Problem | undefined {
    const { target } = rule;
    const tree = this.#treeOf(target);
    const own = this.#ownOf(target);
    if (tree === undefined || own === undefined) return { reason: 'no line of the statements' };
    if (this.#stated.has(target)) return displaced;
    const outcome = evaluateRule(rule, this.#lookUp);
    if ('reason' in outcome) return outcome;
    const parts = [...tree.signsBelow(target)].filter(([qname]) => own.has(qname));
    if (tree.isTotal(target) && parts.length > 0) return this.#scale(own, parts, outcome.value);
    own.set(target, this.#minor(outcome.value));
    this.#stated.add(target);
    return undefined;
  }

  /** Scales the lines below a total that the author does not state, so that the total reaches the target (Q-13 g). */
  #scale(
    own: Map<string, bigint>,
    parts: readonly (readonly [qname: string, sign: bigint])[],
    target: Decimal,
  ): Problem | undefined {
    const free = parts.filter(([qname]) => !this.#pinned.has(qname));
    if (free.length === 0) return displaced;
    const sumOf = (lines: typeof parts): bigint =>
      lines.reduce((sum, [qname, sign]) => sum + (own.get(qname) ?? 0n) * sign, 0n);
    const rest = sumOf(free);
    if (rest === 0n) return { reason: 'no amount below the line to scale' };
    const to = { target, fixed: sumOf(parts) - rest, rest };
    for (const [qname] of free) {
      own.set(qname, scaled(own.get(qname) ?? 0n, to, this.#input.digits));
      this.#stated.add(qname);
    }
    return undefined;
  }

  /** The value of a driver in the month, or that of a line in the month or the one before. */
  readonly #lookUp: ConceptLookUp = (qname, month) => {
    if (this.#input.isDriver(qname)) {
      return month === 'current' ? this.#input.levers.get(qname)?.get(this.#period) : undefined;
    }
    const before = this.#valueIn(this.#before, qname);
    return month === 'previous' ? before : (this.#valueIn(this, qname) ?? before);
  };

  #valueIn(own: OwnAmounts, qname: string): Decimal | undefined {
    const value = this.#trees.income.has(qname)
      ? this.#trees.income.valueOf(own.income, qname)
      : this.#trees.balances.valueOf(own.balances, qname);
    return value === undefined ? undefined : this.#major(value);
  }

  #treeOf(qname: string): LineTree | undefined {
    return [this.#trees.income, this.#trees.balances].find((tree) => tree.has(qname));
  }

  #ownOf(qname: string): Map<string, bigint> | undefined {
    if (this.#trees.income.has(qname)) return this.income;
    return this.#trees.balances.has(qname) ? this.balances : undefined;
  }

  #major(minor: bigint): Decimal {
    return majorOf(minor, this.#input.digits);
  }

  #minor(major: Decimal): bigint {
    return minorOf(major, this.#input.digits);
  }
}
