/** The cash flow and the equity statement of columns (reporting S-12 to S-16b, S-30). */
import { type CashFlow, netChangeInCash, operatingTotal } from '../cash-flow/index.ts';
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

export interface FlowRows<Column> {
  readonly lines: readonly Line[];
  readonly rows: readonly ShownRow[];
  readonly columns: readonly (FlowValues & Column)[];
  /** By line: what the rows show = what facts carry × sign; a line that is not in the map has the sign +1. */
  readonly signs: ReadonlyMap<string, bigint>;
}

export interface FlowValues {
  /** The displayed values. */
  readonly values: ColumnValues;
  /** The same lines as facts carry them, in the sign of their concept (reporting F-8). */
  readonly stored: ColumnValues;
  /** Balances at the end of the day before the column, as facts carry them. */
  readonly openingBalances: ColumnValues;
}

/**
 * Lays out the cash flow; every value is the effect on cash, except for the cash at the end. A direct one is followed by
 * the schedule that reconciles its operating cash to net income (reporting S-17).
 */
export function cashFlowRows(layout: Layout, flows: readonly CashFlow[]): FlowRows<CashFlowColumn> {
  const main = withoutWeights(layout.cashFlowStatement);
  const schedule = withoutWeights(reconciliationLines(layout));
  const lines = [...main, ...schedule];
  const signs = new Map([...cashSigns(layout.cashFlowSources.network.rows), ...cashSigns(layout.cashFlowStatement)]);
  const columns = flows.map((flow) => {
    const reconciled = resolve(schedule, flow.indirectEffects);
    const values = new Map([...reconciled, ...resolve(main, flow.effects), [cash, flow.endCash]]);
    const stored = new Map([...values].map(([qname, value]) => [qname, value * (signs.get(qname) ?? 1n)]));
    const openingBalances = new Map([[cash, flow.openingCash]]);
    return { values, stored, openingBalances, flow, netChange: values.get(netChangeInCash) ?? 0n };
  });
  const values = columns.map((column) => column.values);
  const reconciliation = shownRows(schedule, values).map((row) => ({ ...row, isReconciliation: true }));
  return { lines, rows: [...shownRows(main, values), ...reconciliation], columns, signs };
}

/** The lines from net income to operating cash, for a style with the direct method; none for others (reporting S-17). */
export function reconciliationLines(layout: Layout): readonly Line[] {
  if (!layout.isDirectCashFlow) return [];
  const { rows } = layout.cashFlowSources.network;
  const byName = new Map(rows.map((line) => [line.qname, line]));
  const found = new Set([operatingTotal]);
  // A set keeps its order and is extended while it is read.
  for (const qname of found) for (const part of byName.get(qname)?.calculation ?? []) found.add(part.qname);
  return rows.filter(({ qname }) => found.has(qname));
}

/** Effects on cash add up without weights (reporting S-30). */
function withoutWeights(lines: readonly Line[]): readonly Line[] {
  return lines.map((line) => ({
    ...line,
    calculation: line.calculation.map((part) => ({ ...part, weight: 1 })),
  }));
}

/** The amounts of a column of the equity statement. */
export interface EquityAmounts {
  /** By line, the effect on equity. */
  readonly changes: ReadonlyMap<string, bigint>;
  readonly opening: ColumnAmounts;
  readonly end: ColumnAmounts;
}

/** Lays out the roll-forward of equity: the opening balance, the changes and the closing balance. */
export function equityRows(layout: Layout, amounts: readonly EquityAmounts[]): FlowRows<EquityColumn> {
  const balance = rolledForward(layout);
  const sheets = amounts.map(({ changes, opening, end }) => ({
    changes,
    opening: sheetOf(layout, opening),
    end: sheetOf(layout, end),
  }));
  const amountOf = (values: ColumnValues, qname: string): bigint => values.get(qname) ?? 0n;
  // The changes include all equity. A roll-forward of a part of it, such as partners' capital, keeps the concept of that
  // part only while there is no other equity.
  const isWhole = sheets
    .flatMap(({ opening, end }) => [opening, end])
    .every((values) => amountOf(values, balance.qname) === amountOf(values, totalEquity));
  const total = layout.balanceSheet.find(({ qname }) => qname === totalEquity);
  const { qname, label } = isWhole || total === undefined ? balance : total;
  const lines = layout.equityStatement.filter((line) => line.rollForward.length === 0);
  const signs = new Map(balance.rollForward.map((part) => [part.qname, BigInt(Math.sign(part.weight))]));
  const columns = sheets.map(({ changes, opening, end }) => {
    const [before, after] = [amountOf(opening, totalEquity), amountOf(end, totalEquity)];
    return {
      values: new Map([...changes, [qname, after]]),
      stored: new Map([
        [qname, after],
        ...[...signs].map(([line, sign]) => [line, amountOf(changes, line) * sign] as const),
      ]),
      openingBalances: new Map([[qname, before]]),
      opening: before,
      changes: [...changes.values()].reduce((sum, each) => sum + each, 0n),
      closing: after,
    };
  });
  const balanceRow = (words: string, isOpening: boolean): ShownRow => ({
    line: { ...balance, qname, label: `${label}, ${words}` },
    isSubtotal: !isOpening,
    values: columns.map(({ opening, closing }) => (isOpening ? opening : closing)),
    isOpening,
  });
  const shown = shownRows(
    lines,
    columns.map(({ values }) => values),
  );
  const rows = [balanceRow('beginning of period', true), ...shown, balanceRow('end of period', false)];
  return { lines, rows, columns, signs };
}

function sheetOf(layout: Layout, amounts: ColumnAmounts): ColumnValues {
  return resolve(layout.balanceSheet, balanceSheetLeaves(layout, amounts).own);
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
