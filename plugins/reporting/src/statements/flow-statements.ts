/** The cash flow and the equity statement of one column (reporting S-12 to S-16b, S-30). */
import { type CashFlow, netChangeInCash } from '../cash-flow/index.ts';
import { rolledForward, totalEquity } from './flow-layout.ts';
import type { CashFlowColumn, EquityColumn } from './flow-validation.ts';
import {
  balanceSheetLeaves,
  type ColumnAmounts,
  type ColumnValues,
  type Layout,
  type Line,
  resolve,
  type ShownRow,
  shownRows,
} from './statement-lines.ts';

const cash = 'rs-gaap:CashCashEquivalentsRestrictedCashAndRestrictedCashEquivalents';

export interface FlowRows {
  readonly lines: readonly Line[];
  readonly rows: readonly ShownRow[];
  /** What the rows show. */
  readonly values: ColumnValues;
  /** The same lines as facts carry them, in the sign of their concept (reporting F-8). */
  readonly stored: ColumnValues;
}

/** Lays out the cash flow; every value is the effect on cash, except for the cash at the end. */
export function cashFlowRows(layout: Layout, flow: CashFlow): FlowRows & CashFlowColumn {
  // Effects on cash add up without weights (reporting S-30).
  const lines = layout.cashFlowStatement.map((line) => ({
    ...line,
    calculation: line.calculation.map((part) => ({ ...part, weight: 1 })),
  }));
  const values = new Map([...resolve(lines, flow.effects), [cash, flow.endCash]]);
  const signs = cashSigns(layout.cashFlowStatement);
  const stored = new Map([...values].map(([qname, value]) => [qname, value * (signs.get(qname) ?? 1n)]));
  return {
    lines,
    rows: shownRows(lines, [values]),
    values,
    stored,
    flow,
    netChange: values.get(netChangeInCash) ?? 0n,
  };
}

/** Lays out the roll-forward of equity: the opening balance, the changes and the closing balance. */
export function equityRows(
  layout: Layout,
  changes: ReadonlyMap<string, bigint>,
  amounts: { readonly opening: ColumnAmounts; readonly end: ColumnAmounts },
): FlowRows & EquityColumn {
  const balance = rolledForward(layout);
  const [opening, end] = [amounts.opening, amounts.end].map((column) =>
    resolve(layout.balanceSheet, balanceSheetLeaves(layout, column).own),
  ) as [ColumnValues, ColumnValues]; // Safe because the list has two entries.
  const amountOf = (values: ColumnValues, qname: string): bigint => values.get(qname) ?? 0n;
  // The changes include all equity. A roll-forward of a part of it, such as partners' capital, keeps the concept of that
  // part only while there is no other equity.
  const isWhole = [opening, end].every((values) => amountOf(values, balance.qname) === amountOf(values, totalEquity));
  const total = layout.balanceSheet.find(({ qname }) => qname === totalEquity);
  const { qname, label } = isWhole || total === undefined ? balance : total;
  const [before, after] = [amountOf(opening, totalEquity), amountOf(end, totalEquity)];
  const lines = layout.equityStatement.filter((line) => line.rollForward.length === 0);
  const shown = shownRows(lines, [changes]);
  const balanceRow = (words: string, value: bigint, isSum: boolean): ShownRow => ({
    line: { ...balance, qname, label: `${label}, ${words}` },
    isSubtotal: isSum,
    values: [value],
  });
  return {
    lines,
    rows: [balanceRow('beginning of period', before, false), ...shown, balanceRow('end of period', after, true)],
    values: new Map([...changes, [qname, after]]),
    stored: new Map([
      [qname, after],
      ...balance.rollForward.map(({ qname: line, weight }): [string, bigint] => [
        line,
        (changes.get(line) ?? 0n) * BigInt(Math.sign(weight)),
      ]),
    ]),
    opening: before,
    changes: [...changes.values()].reduce((sum, each) => sum + each, 0n),
    closing: after,
  };
}

/** The product of the weights from each line up to the net change in cash (reporting S-12a). */
function cashSigns(lines: readonly Line[]): ReadonlyMap<string, bigint> {
  const parts = new Map(lines.map(({ qname, calculation }) => [qname, calculation]));
  const signs = new Map([[netChangeInCash, 1n]]);
  // A map keeps its order and is extended while it is read.
  for (const [qname, sign] of signs) {
    for (const part of parts.get(qname) ?? []) signs.set(part.qname, sign * BigInt(Math.sign(part.weight)));
  }
  return signs;
}
