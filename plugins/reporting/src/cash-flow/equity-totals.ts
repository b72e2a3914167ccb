import type { EquityChange, NoncashItem } from '@pacioli/taxonomy';
import { add } from './allocate-entry.ts';
import { type FlowNetwork, type Home, netIncomeLeaf } from './network.ts';

/** The equity statement of a style (reporting S-16b). */
export interface EquityRules {
  /** The changes that the network shows. */
  readonly lines: ReadonlySet<string>;
  /** The change that shows a flow other than income; undefined if the network has none for it. */
  lineOf(qname: string): string | undefined;
  /** The row of taxonomy-data 5.3 for the earnings home of the style. */
  readonly earningsHome: EquityChange;
  /** The row of a balance sheet concept that belongs to equity; undefined for all others. */
  changeOf(qname: string): EquityChange | undefined;
  /** True for a flow without a balance: income, a distribution, other comprehensive income. */
  isDuration(qname: string): boolean;
}

const compensationExpense = 'rs-gaap:AllocatedShareBasedCompensationExpense';
const compensationLine =
  'rs-gaap:AdjustmentsToAdditionalPaidInCapitalSharebasedCompensationRequisiteServicePeriodRecognitionValue';

/** Adds up the changes in equity of a column: flows by their sums, balances by the net amount of each entry. */
export class EquityTotals {
  readonly #rules: EquityRules;
  readonly #effects = new Map<string, bigint>();
  readonly #compensation: NoncashItem | undefined;

  constructor(rules: EquityRules, network: FlowNetwork) {
    this.#rules = rules;
    this.#compensation = network.noncashItems.find(({ incomeConcept }) => incomeConcept === compensationExpense);
  }

  /** Adds the flow of an account over the column, without clearing entries; equity balances are added by entry. */
  addMovement(qname: string, flow: bigint, home: Home): void {
    if (!this.#rules.isDuration(qname)) return;
    if (home.kind === 'income') {
      add(this.#effects, netIncomeLeaf, flow);
      return;
    }
    const line = this.#rules.lineOf(qname);
    if (line !== undefined) {
      add(this.#effects, line, flow);
      return;
    }
    const { increase, decrease } = this.#rules.earningsHome;
    const isDistribution = home.kind === 'family' && home.family.inflow.sign === -1n;
    add(this.#effects, isDistribution || flow < 0n ? decrease : increase, flow);
  }

  add(
    lines: readonly { readonly qname: string | undefined; readonly flow: bigint }[],
    absorbed: ReadonlyMap<NoncashItem, bigint>,
  ): void {
    const net = new Map<string, { readonly change: EquityChange; readonly flow: bigint }>();
    for (const { qname, flow } of lines) {
      const change = qname === undefined ? undefined : this.#rules.changeOf(qname);
      if (change === undefined) continue;
      const key = `${change.increase} ${change.decrease}`;
      net.set(key, { change, flow: flow + (net.get(key)?.flow ?? 0n) });
    }
    let compensation = this.#compensation === undefined ? 0n : (absorbed.get(this.#compensation) ?? 0n);
    if (!this.#rules.lines.has(compensationLine)) compensation = 0n;
    for (const { change, flow } of net.values()) {
      const shared = flow > 0n ? (flow < compensation ? flow : compensation) : 0n;
      compensation -= shared;
      if (shared > 0n) add(this.#effects, compensationLine, shared);
      const rest = flow - shared;
      add(this.#effects, rest < 0n ? change.decrease : change.increase, rest);
    }
  }

  /** By line of the network, the effect on equity. */
  get effects(): ReadonlyMap<string, bigint> {
    return this.#effects;
  }
}
