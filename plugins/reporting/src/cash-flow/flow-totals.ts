import { add, allocateEntry, type FlowLine, isByBalance, type Noncash } from './allocate-entry.ts';
import { DirectTotals, type IncomeTests } from './direct-totals.ts';
import { type EquityRules, EquityTotals } from './equity-totals.ts';
import { type FlowNetwork, netIncomeLeaf } from './network.ts';

/** An account of a column, in debit-positive minor units. */
export interface FlowAccount {
  readonly id: string;
  /** The concept that the account is mapped to; undefined without one. */
  readonly qname: string | undefined;
  /** At the end of the day before the column. */
  readonly opening: bigint;
  readonly end: bigint;
  /** The lines of the column without clearing entries (reporting S-2a); null without any. */
  readonly movement: bigint | null;
}

/** The lines of a posted entry on one account with one tag. */
export interface EntryFlowLine {
  readonly accountId: string;
  readonly flowElementId: string | null;
  /** Credits minus debits. */
  readonly flow: bigint;
}

/** The effect of the concepts in use on the lines of the cash flow and of the equity statement. */
export interface FlowRules {
  readonly network: FlowNetwork;
  readonly equity: EquityRules;
  /** For styles with the direct method (reporting S-17). */
  readonly direct: IncomeTests | undefined;
}

/** The cash flow of a column. */
export interface CashFlow {
  /** By leaf of the network of the style, the effect on cash. */
  readonly effects: ReadonlyMap<string, bigint>;
  /** By leaf of the indirect network, the effect on cash. */
  readonly indirectEffects: ReadonlyMap<string, bigint>;
  readonly openingCash: bigint;
  readonly endCash: bigint;
  /** Summed over the entries of the column. */
  readonly noncash: readonly Noncash[];
  /** Tagged cash without an explanation in its entry (reporting S-14, step 5). */
  readonly unexplained: bigint;
  /** Concepts with an amount that take the line of their class (reporting S-12b, step 5). */
  readonly guessed: readonly string[];
}

/**
 * Adds up the cash flow and the changes in equity of one column: first its accounts, whose balances give the operating
 * lines, then its special entries, one at a time (reporting S-13, S-16b).
 */
export class FlowTotals {
  readonly #network: FlowNetwork;
  readonly #concepts = new Map<string, string | undefined>();
  readonly #effects = new Map<string, bigint>();
  readonly #noncash = new Map<string, Noncash>();
  /** Accounts with lines in the column. */
  readonly #moved = new Set<string>();
  readonly #guessed = new Set<string>();
  readonly #equity: EquityTotals;
  readonly #direct: DirectTotals | undefined;
  #cash = { opening: 0n, end: 0n };
  #unexplained = 0n;

  constructor({ network, equity, direct }: FlowRules, accounts: readonly FlowAccount[]) {
    this.#network = network;
    this.#equity = new EquityTotals(equity, network);
    this.#direct = direct === undefined ? undefined : new DirectTotals(network, direct);
    for (const account of accounts) this.#addAccount(account);
  }

  /** Accounts with lines in the column that make an entry special. */
  get specialAccountIds(): readonly string[] {
    return [...this.#moved].filter((id) => this.#isSpecial(this.#concepts.get(id)));
  }

  /** Adds an entry, or with `isMonth` the sum of a whole month (reporting Q-17). */
  add(lines: readonly EntryFlowLine[], { isMonth = false }: { readonly isMonth?: boolean } = {}): void {
    const placed = lines.map(({ accountId, flowElementId, flow }): FlowLine => {
      const tag = flowElementId === null ? undefined : this.#network.leafOfElement(flowElementId);
      return { home: this.#network.homeOf(this.#concepts.get(accountId)), tag, flow };
    });
    const allocation = allocateEntry(this.#network, placed, { isMonth });
    this.#direct?.add(
      placed.map(({ home, flow }, index) => ({ home, flow, qname: this.#concepts.get(lines[index]?.accountId ?? '') })),
      allocation,
      { isMonth },
    );
    for (const [leaf, amount] of allocation.effects) add(this.#effects, leaf, amount);
    for (const each of allocation.noncash) {
      const key = `${each.leaf.qname} ${each.against?.qname ?? ''}`;
      this.#noncash.set(key, { ...each, amount: each.amount + (this.#noncash.get(key)?.amount ?? 0n) });
    }
    this.#unexplained += allocation.unexplained;
    const byConcept = lines.map(({ accountId, flow }) => ({ qname: this.#concepts.get(accountId), flow }));
    this.#equity.add(byConcept, allocation.absorbed);
  }

  cashFlow(): CashFlow {
    return {
      effects: this.#direct?.effects ?? this.#effects,
      indirectEffects: this.#effects,
      openingCash: this.#cash.opening,
      endCash: this.#cash.end,
      noncash: [...this.#noncash.values()].toSorted((a, b) => a.leaf.position - b.leaf.position),
      unexplained: this.#unexplained,
      guessed: [...this.#guessed].toSorted(),
    };
  }

  /** By line of the equity statement, the effect on equity. */
  equityChanges(): ReadonlyMap<string, bigint> {
    return this.#equity.effects;
  }

  #addAccount({ id, qname, opening, end, movement }: FlowAccount): void {
    this.#concepts.set(id, qname);
    if (movement !== null) this.#moved.add(id);
    const home = this.#network.homeOf(qname);
    if (home.kind === 'cash') {
      this.#cash = { opening: this.#cash.opening + opening, end: this.#cash.end + end };
      return;
    }
    if (movement === null) return;
    if (home.kind === 'family' && home.isGuessed) this.#guessed.add(qname ?? '');
    if (home.kind === 'income') add(this.#effects, netIncomeLeaf, -movement);
    else if (home.kind === 'unmapped') add(this.#effects, this.#network.reconciling.qname, -movement);
    else if (isByBalance(home.family)) add(this.#effects, home.family.inflow.qname, -movement);
    if (qname !== undefined) this.#equity.addMovement(qname, -movement, home);
  }

  /** The direct method explains every cash line, so all entries with one are special. */
  #isSpecial(qname: string | undefined): boolean {
    const home = this.#network.homeOf(qname);
    if (home.kind === 'cash') return this.#direct !== undefined;
    return home.kind === 'income' ? home.item !== undefined : home.kind === 'family' && !isByBalance(home.family);
  }
}
