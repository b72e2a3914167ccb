import { plusMonths } from '@pacioli/core/calendar';
import type { FlowRules } from '../cash-flow/index.ts';
import { flowRules } from '../statements/index.ts';
import { type DriverRule, inDependencyOrder, isActive } from './driver-rules.ts';
import { minorOf } from './exact-amounts.ts';
import { cashLine } from './forecast-lines.ts';
import { LineTree } from './line-tree.ts';
import { type MonthChanges, monthCashFlow } from './month-cash-flow.ts';
import { MonthState, type OwnAmounts, type Trees } from './month-state.ts';
import type { ForecastMonth, SkippedStep, Walk, WalkInput } from './walk-input.ts';

const assets = 'rs-gaap:Assets';
const liabilitiesAndEquity = 'rs-gaap:LiabilitiesAndStockholdersEquity';
const profitOrLoss = 'rs-gaap:ProfitLoss';
const netIncome = 'rs-gaap:NetIncomeLoss';
const minorityInterest = 'rs-gaap:MinorityInterest';
const property = 'rs-gaap:PropertyPlantAndEquipmentNet';

/** Projects the statements of the months after the anchor; pure, exact and deterministic (reporting 10.3). */
export function walkForecast(input: WalkInput): Walk {
  return new Walker(input).walk();
}

class Walker {
  readonly #input: WalkInput;
  readonly #trees: Trees;
  readonly #flowRules: FlowRules;
  readonly #rules: readonly DriverRule[];
  readonly #cyclic: readonly DriverRule[];
  /** The line that balances the balance sheet. */
  readonly #cash: string;
  readonly #hasBalances: boolean;
  /** By month and line, what schedules and disposals bring. */
  readonly #movements = new Map<string, Map<string, bigint>>();
  readonly #skipped: SkippedStep[] = [];
  readonly #diagnostics: string[] = [];
  readonly #withoutSchedule = new Set<string>();

  constructor(input: WalkInput) {
    const { layout } = input;
    this.#input = input;
    this.#trees = { income: new LineTree(layout.incomeStatement), balances: new LineTree(layout.balanceSheet) };
    this.#flowRules = flowRules(layout, input.concepts);
    const active = input.rules.filter((rule) => isActive(rule, input.isDriver, (qname) => input.levers.has(qname)));
    ({ ordered: this.#rules, cyclic: this.#cyclic } = inDependencyOrder(active, (one, other) =>
      this.#overlap(one, other),
    ));
    this.#cash = cashLine(layout);
    this.#hasBalances = input.anchor.balances !== undefined;
    for (const { period, qname, amount } of input.movements) {
      const month = this.#movements.get(period) ?? new Map<string, bigint>();
      this.#movements.set(period, month.set(qname, (month.get(qname) ?? 0n) + amount));
    }
  }

  walk(): Walk {
    const { anchor, months } = this.#input;
    if (!this.#hasBalances) {
      this.#diagnostics.push(`no balance sheet at ${anchor.period}: only driven and asserted balances are projected`);
    }
    const done: ForecastMonth[] = [];
    let before: OwnAmounts = {
      income: this.#trees.income.ownOf(anchor.income),
      balances: this.#trees.balances.ownOf(anchor.balances ?? new Map()),
    };
    for (const period of months) {
      const { own, statements } = this.#month(period, before);
      done.push(statements);
      before = own;
    }
    return { months: done, skipped: this.#skipped, diagnostics: this.#diagnostics };
  }

  #month(period: string, before: OwnAmounts): { readonly own: OwnAmounts; readonly statements: ForecastMonth } {
    const { assertions, growth, unusableRules } = this.#input;
    const skip = (step: Omit<SkippedStep, 'period'>): void => {
      this.#skipped.push({ period, ...step });
    };
    const state = new MonthState(this.#input, this.#trees, { period, before, skip });
    const movements = this.#movements.get(period) ?? new Map<string, bigint>();
    this.#applyScheduleChanges(state, period, movements);
    state.grow(growth);
    state.assertLines(assertions);
    for (const { id, reason } of unusableRules) skip({ ruleId: id, qname: null, reason, missing: [] });
    for (const rule of this.#cyclic) {
      skip({ ruleId: rule.id, qname: rule.target, reason: 'circular dependency', missing: [] });
    }
    for (const rule of this.#rules) state.applyRule(rule);
    const income = this.#trees.income.valuesOf(state.income);
    this.#noteDepreciation(period, state, movements);
    if (!this.#hasBalances) {
      const balances = this.#stated(state);
      return { own: state, statements: { period, income, balances, cashFlow: undefined, own: ownAmounts(state) } };
    }
    for (const [qname, amount] of movements) {
      if (!this.#trees.balances.has(qname) || qname === this.#cash || state.isStated(qname)) continue;
      state.balances.set(qname, (state.balances.get(qname) ?? 0n) + amount);
    }
    const distributions = this.#distributions(period);
    const retained = this.#retain(state, income, distributions);
    const balances = this.#balance(state);
    const cashFlow = this.#cashFlow(before, state, { distributions, retained });
    return { own: state, statements: { period, income, balances, cashFlow, own: ownAmounts(state) } };
  }

  /** A schedule is part of the month before, so that a line changes by the difference (Q-13 b). */
  #applyScheduleChanges(state: MonthState, period: string, movements: ReadonlyMap<string, bigint>): void {
    const earlier = this.#movements.get(plusMonths(period, -1)) ?? new Map<string, bigint>();
    for (const qname of [...new Set([...earlier.keys(), ...movements.keys()])].toSorted()) {
      state.changeIncome(qname, (movements.get(qname) ?? 0n) - (earlier.get(qname) ?? 0n));
    }
  }

  /** Depreciation without a schedule leaves property as it is, so that the month shows an equal purchase (W-19). */
  #noteDepreciation(period: string, state: MonthState, movements: ReadonlyMap<string, bigint>): void {
    for (const { incomeConcept, cashFlowConcept, absorbedBy } of this.#input.layout.cashFlowSources.noncashItems) {
      if (!absorbedBy.includes(property) || !cashFlowConcept.includes('Depreciation')) continue;
      const carried = state.income.get(incomeConcept) ?? 0n;
      if (carried <= (movements.get(incomeConcept) ?? 0n) || this.#withoutSchedule.has(incomeConcept)) continue;
      this.#withoutSchedule.add(incomeConcept);
      this.#diagnostics.push(`depreciation carried without a schedule: ${incomeConcept} from ${period}`);
    }
  }

  /** The paid amounts of distributions by line. */
  #distributions(period: string): ReadonlyMap<string, bigint> {
    const { assertions, digits } = this.#input;
    return new Map(
      [...assertions.keys()].toSorted().flatMap((qname): [string, bigint][] => {
        const value = assertions.get(qname)?.get(period);
        const isLine = this.#trees.income.has(qname) || this.#trees.balances.has(qname);
        return value === undefined || isLine ? [] : [[qname, minorOf(value, digits)]];
      }),
    );
  }

  /** Adds net income less distributions to equity and returns what each line gets. */
  #retain(
    state: MonthState,
    income: ReadonlyMap<string, bigint>,
    distributions: ReadonlyMap<string, bigint>,
  ): ReadonlyMap<string, bigint> {
    const whole = income.get(profitOrLoss) ?? income.get(netIncome) ?? 0n;
    const ofOthers = this.#trees.balances.isLeaf(minorityInterest) ? whole - (income.get(netIncome) ?? whole) : 0n;
    const paid = [...distributions.values()].reduce((sum, amount) => sum + amount, 0n);
    const retained = new Map([[this.#input.layout.earningsHome, whole - ofOthers - paid]]);
    if (ofOthers !== 0n) retained.set(minorityInterest, ofOthers);
    for (const [qname, amount] of retained) {
      if (!state.isStated(qname)) state.balances.set(qname, (state.balances.get(qname) ?? 0n) + amount);
    }
    return retained;
  }

  /** Cash is what balances the sheet. */
  #balance(state: MonthState): ReadonlyMap<string, bigint> {
    state.balances.set(this.#cash, 0n);
    const open = this.#trees.balances.valuesOf(state.balances);
    state.balances.set(this.#cash, (open.get(liabilitiesAndEquity) ?? 0n) - (open.get(assets) ?? 0n));
    return this.#trees.balances.valuesOf(state.balances);
  }

  #cashFlow(
    before: OwnAmounts,
    after: OwnAmounts,
    flows: Pick<MonthChanges, 'distributions' | 'retained'>,
  ): ReadonlyMap<string, bigint> {
    const { layout } = this.#input;
    const signs = this.#trees.income.signsBelow(profitOrLoss);
    const income = [...after.income].flatMap(([qname, amount]): [string, bigint][] => {
      const sign = signs.get(qname);
      return sign === undefined ? [] : [[qname, amount * sign]];
    });
    const balances = layout.balanceSheet
      .filter(({ qname }) => before.balances.has(qname) || after.balances.has(qname))
      .map((line) => ({
        line,
        before: before.balances.get(line.qname) ?? 0n,
        after: after.balances.get(line.qname) ?? 0n,
      }));
    return monthCashFlow(layout, this.#flowRules, {
      balances,
      income: new Map(income),
      ...flows,
    });
  }

  /** Without balances at the anchor, only those that rules and assertions state. */
  #stated(state: MonthState): ReadonlyMap<string, bigint> {
    return new Map([...state.balances].filter(([qname]) => state.isStated(qname)));
  }

  #overlap(one: string, other: string): boolean {
    if (one === other) return true;
    const treeOf = (qname: string): LineTree | undefined =>
      [this.#trees.income, this.#trees.balances].find((tree) => tree.has(qname));
    const below = (qname: string): ReadonlySet<string> => new Set(treeOf(qname)?.signsBelow(qname).keys());
    const [own, others] = [below(one), below(other)];
    return [...own].some((qname) => others.has(qname));
  }
}

/** A copy, because the state is the beginning of the next month. */
function ownAmounts({ income, balances }: OwnAmounts): ForecastMonth['own'] {
  return { income: new Map(income), balances: new Map(balances) };
}
