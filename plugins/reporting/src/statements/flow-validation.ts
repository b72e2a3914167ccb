import { type CashFlow, type FlowNetwork, operatingTotal } from '../cash-flow/index.ts';
import type { ColumnValues, Line } from './statement-lines.ts';

/** A laid-out cash flow to check. */
export interface CashFlowColumn {
  readonly flow: CashFlow;
  readonly values: ColumnValues;
  readonly netChange: bigint;
}

/** A laid-out equity statement to check. */
export interface EquityColumn {
  readonly opening: bigint;
  /** Net income and all other changes. */
  readonly changes: bigint;
  readonly closing: bigint;
}

type AmountText = (minor: bigint) => string;

/** The net change is that of the cash accounts; there is no line that absorbs a difference (reporting R-26, S-15). */
export function cashTie({ flow, netChange }: CashFlowColumn, amountText: AmountText): readonly string[] {
  const change = flow.endCash - flow.openingCash;
  if (change === netChange) return [];
  return [`cash_tie: the lines make ${amountText(netChange)}, cash changed by ${amountText(change)}`];
}

/** The opening balance and the changes make the balance of the balance sheet (reporting R-26). */
export function equityTie({ opening, changes, closing }: EquityColumn, amountText: AmountText): readonly string[] {
  if (opening + changes === closing) return [];
  const [made, found] = [amountText(opening + changes), amountText(closing)];
  return [`equity_tie: the opening balance and the changes make ${made}, the balance sheet shows ${found}`];
}

/** Amounts that need a reader's attention although the statement ties (reporting S-12b, S-14, S-16a, R-26). */
export function cashFlowWarnings(
  column: CashFlowColumn,
  network: FlowNetwork,
  lines: readonly Line[],
  amountText: AmountText,
): readonly string[] {
  const { flow, values, netChange } = column;
  const labels = new Map(lines.map(({ qname, label }) => [qname, label]));
  const label = ({ qname }: { readonly qname: string }): string => labels.get(qname) ?? qname;
  const size = (amount: bigint): bigint => (amount < 0n ? -amount : amount);
  const plug = size(values.get(network.reconciling.qname) ?? 0n);
  const sizes = [size(values.get(operatingTotal) ?? 0n), size(netChange)];
  return [
    ...(sizes.every((amount) => plug * 4n > amount)
      ? [`operating_plug: ${label(network.reconciling)} is ${amountText(plug)}, more than a quarter of the cash flow`]
      : []),
    ...flow.noncash.map(({ leaf, against, amount }) =>
      against === undefined
        ? `noncash: ${label(leaf)} of ${amountText(amount)} moved no cash`
        : `noncash: ${label(leaf)} of ${amountText(amount)} set off against ${label(against)}`,
    ),
    ...flow.guessed.map((qname) => `${qname} has no line of the cash flow; its amount is on the line of its class`),
    ...(flow.unexplained === 0n
      ? []
      : [
          `cash of ${amountText(flow.unexplained)} names a line of the cash flow that no other line of its entry explains`,
        ]),
  ];
}
