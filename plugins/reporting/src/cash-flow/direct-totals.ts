/** Operating receipts and payments of the direct method (reporting S-17), in effects on cash. */
import { add, type EntryAllocation } from './allocate-entry.ts';
import type { FlowNetwork, Home } from './network.ts';

type Kind = 'customers' | 'employees' | 'rent' | 'interestPaid' | 'interestReceived' | 'taxes' | 'dividends' | 'other';

interface Leaves {
  readonly receipts: string;
  readonly payments: string;
}

const both = (name: string): Leaves => ({ receipts: `rs-gaap:${name}`, payments: `rs-gaap:${name}` });
const leavesOfKinds: Readonly<Record<Kind, Leaves>> = {
  customers: both('ProceedsFromCustomers'),
  employees: both('PaymentsToEmployees'),
  rent: both('PaymentsForRent'),
  interestPaid: both('InterestPaidNet'),
  interestReceived: both('ProceedsFromInterestReceived'),
  taxes: { receipts: 'rs-gaap:ProceedsFromIncomeTaxRefunds', payments: 'rs-gaap:IncomeTaxesPaidNet' },
  dividends: both('ProceedsFromDividendsReceived'),
  other: { receipts: 'rs-gaap:ProceedsFromOtherOperatingActivities', payments: 'rs-gaap:PaymentsToSuppliers' },
};

/** Kinds by the line of the income statement, or by the line of the indirect cash flow of a balance. */
const kinds: ReadonlyMap<string, Kind> = new Map(
  (
    [
      ['customers', 'IncreaseDecreaseInAccountsReceivable', 'IncreaseDecreaseInContractWithCustomerAsset'],
      ['customers', 'IncreaseDecreaseInContractWithCustomerLiability', 'IncreaseDecreaseInDeferredRevenue'],
      ['customers', 'IncreaseDecreaseInCustomerDeposits'],
      ['employees', 'LaborAndRelatedExpense', 'OfficersCompensation', 'IncreaseDecreaseInEmployeeRelatedLiabilities'],
      ['rent', 'OperatingLeaseExpense', 'IncreaseDecreaseInOperatingLeaseLiability'],
      ['interestPaid', 'InterestExpense', 'IncreaseDecreaseInInterestPayableNet'],
      ['interestReceived', 'InvestmentIncomeInterest'],
      ['taxes', 'IncomeTaxExpenseBenefit', 'IncreaseDecreaseInIncomeTaxesReceivable'],
      ['taxes', 'IncreaseDecreaseInAccruedIncomeTaxesPayable', 'DeferredIncomeTaxExpenseBenefit'],
      ['dividends', 'DividendIncomeOperating'],
    ] as const
  ).flatMap(([kind, ...names]) => names.map((name) => [`rs-gaap:${name}`, kind] as const)),
);

export interface DirectLine {
  readonly qname: string | undefined;
  readonly home: Home;
  /** Credits minus debits. */
  readonly flow: bigint;
}

/** Looks up income concepts for the direct method, which names receipts and payments after their counterpart. */
export interface IncomeTests {
  /** The line of the income statement that contains the concept. */
  lineOf(qname: string): string;
  isRevenue(qname: string): boolean;
}

/** Adds up what entries received and paid for operations. */
export class DirectTotals {
  readonly #network: FlowNetwork;
  readonly #income: IncomeTests;
  readonly #effects = new Map<string, bigint>();

  constructor(network: FlowNetwork, income: IncomeTests) {
    this.#network = network;
    this.#income = income;
  }

  /** By leaf of the direct network, and for the other sections by the leaves of both. */
  get effects(): ReadonlyMap<string, bigint> {
    return this.#effects;
  }

  /** The sum of a whole month keeps each kind of counterpart, whatever its sign (reporting Q-17). */
  add(lines: readonly DirectLine[], allocation: EntryAllocation, { isMonth = false } = {}): void {
    const { effects, operating: left } = allocation;
    let operating = 0n;
    let hasCash = false;
    for (const { home, flow } of lines) {
      if (home.kind !== 'cash') continue;
      hasCash = true;
      operating -= flow;
    }
    for (const [leaf, amount] of effects) {
      if (this.#network.leaves.get(leaf)?.section === 'operating') continue;
      add(this.#effects, leaf, amount);
      operating -= amount;
    }
    if (operating === 0n && !isMonth) return;
    const byKind = new Map<Kind, bigint>();
    for (const { qname, home, flow } of lines) {
      if (home.kind === 'income' && home.item === undefined) add(byKind, this.#kindOf(qname ?? ''), flow);
    }
    for (const [family, amount] of left) add(byKind, kinds.get(family.inflow.qname) ?? 'other', amount);
    if (isMonth) this.#keep(byKind, operating);
    else this.#distribute(byKind, operating, hasCash);
  }

  #keep(byKind: ReadonlyMap<Kind, bigint>, operating: bigint): void {
    let rest = operating;
    for (const [kind, amount] of byKind) {
      this.#place(kind, amount, true);
      rest -= amount;
    }
    this.#place('other', rest, true);
  }

  /** To the counterparts with the same sign, the largest first; what they do not explain is other. */
  #distribute(byKind: ReadonlyMap<Kind, bigint>, operating: bigint, hasCash: boolean): void {
    const isReceipt = operating > 0n;
    const counterparts = [...byKind]
      .filter(([, amount]) => amount !== 0n && amount > 0n === isReceipt)
      .toSorted(([, a], [, b]) => (a === b ? 0 : a > b === isReceipt ? -1 : 1));
    let rest = operating;
    for (const [kind, amount] of counterparts) {
      const isEnough = isReceipt ? amount >= rest : amount <= rest;
      const part = isEnough ? rest : amount;
      this.#place(kind, part, hasCash);
      rest -= part;
    }
    this.#place('other', rest, hasCash);
  }

  /**
   * An entry without cash, such as a machine bought on account, defers a payment or a receipt; it offsets the line on
   * which that will stand.
   */
  #place(kind: Kind, amount: bigint, hasCash: boolean): void {
    if (amount === 0n) return;
    const { receipts, payments } = leavesOfKinds[kind];
    add(this.#effects, amount > 0n === hasCash ? receipts : payments, amount);
  }

  #kindOf(qname: string): Kind {
    const known = kinds.get(qname) ?? kinds.get(this.#income.lineOf(qname));
    return known ?? (this.#income.isRevenue(qname) ? 'customers' : 'other');
  }
}
