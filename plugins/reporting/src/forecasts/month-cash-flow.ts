import { type FlowAccount, type FlowRules, FlowTotals } from '../cash-flow/index.ts';
import { type ColumnValues, cashFlowRows, type Layout, type Line } from '../statements/index.ts';

/** The changes of a month, in minor units. */
export interface MonthChanges {
  /** Each line of the balance sheet with an amount of its own; values on its natural side. */
  readonly balances: readonly { readonly line: Line; readonly before: bigint; readonly after: bigint }[];
  /** The effect of each line of the income statement on net income. */
  readonly income: ReadonlyMap<string, bigint>;
  /** Paid to owners, positive, by line of the cash flow. */
  readonly distributions: ReadonlyMap<string, bigint>;
  /** The part of net income less distributions that each line of equity receives. */
  readonly retained: ReadonlyMap<string, bigint>;
}

/**
 * The cash flow of a month as one entry of all its changes, in which nothing is set off. What the changes do not
 * explain stands on the reconciling line; only a balance sheet that does not balance leaves any.
 */
export function monthCashFlow(layout: Layout, rules: FlowRules, changes: MonthChanges): ColumnValues {
  const accounts = accountsOf(changes);
  const unexplained = accounts.reduce((sum, { movement }) => sum - (movement ?? 0n), 0n);
  if (unexplained !== 0n) {
    accounts.push({ id: 'unexplained', qname: undefined, opening: 0n, end: unexplained, movement: unexplained });
  }
  const totals = new FlowTotals(rules, accounts);
  // A balance that stays is a line too: cash, so that the changes count as paid, and property, so that it and no other
  // line pays for depreciation without a schedule (W-19).
  const lines = accounts.map(({ id, movement }) => ({ accountId: id, flowElementId: null, flow: -(movement ?? 0n) }));
  totals.add(lines, { isMonth: true });
  const [column] = cashFlowRows(layout, [totals.cashFlow()]).columns;
  return column?.stored ?? new Map();
}

/** Every line as an account with debit-positive amounts. */
function accountsOf({ balances, income, distributions, retained }: MonthChanges): FlowAccount[] {
  const flow = (qname: string, movement: bigint): FlowAccount => {
    return { id: qname, qname, opening: 0n, end: movement, movement: unlessZero(movement) };
  };
  return [
    ...balances.map(({ line, before, after }): FlowAccount => {
      const side = line.balance === 'credit' ? -1n : 1n;
      // Net income and distributions have lines of their own.
      const own = after - before - (retained.get(line.qname) ?? 0n);
      const amounts = { opening: before * side, end: after * side, movement: unlessZero(own * side) };
      return { id: line.qname, qname: line.qname, ...amounts };
    }),
    ...[...income].map(([qname, effect]) => flow(qname, -effect)),
    ...[...distributions].map(([qname, amount]) => flow(qname, amount)),
  ];
}

function unlessZero(amount: bigint): bigint | null {
  return amount === 0n ? null : amount;
}
