import { oneLine } from '@pacioli/core';
import { amountText } from '../values/index.ts';
import { type HeldGroup, type HoldingsOverview, omittedOf } from './held-groups.ts';

/** The holdings of a portfolio as lines for a terminal: totals by issuer and by kind. */
export function holdingsLines(overview: HoldingsOverview): readonly string[] {
  const { portfolio, issuers, kinds, totals, positionCount } = overview;
  const all = { title: 'Total', positions: { length: positionCount }, totals };
  return [
    `${oneLine(portfolio.name)}: amounts in ${portfolio.base_currency}`,
    ...tableLines(['Issuer', 'Positions', 'Cost basis', 'Current value'], [...issuers, all]),
    '',
    ...tableLines(['Kind', 'Positions', 'Cost basis', 'Current value'], [...kinds, all]),
    ...omittedOf(overview).map(
      ({ currency, count, costBasis }) =>
        `Not part of the totals, without an exchange rate: ${count} in ${currency} with a cost of ${amountText(costBasis)}.`,
    ),
  ];
}

type Line = Pick<HeldGroup, 'title' | 'totals'> & { readonly positions: { readonly length: number } };

function tableLines(head: readonly string[], lines: readonly Line[]): readonly string[] {
  const cells = lines.map(({ title, positions, totals }) => [
    oneLine(title),
    String(positions.length),
    amountText(totals.costBasis),
    totals.currentValue === null ? '' : amountText(totals.currentValue),
  ]);
  const widths = head.map((_, column) => Math.max(...[head, ...cells].map((row) => row[column]?.length ?? 0)));
  return [head, ...cells].map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
}
