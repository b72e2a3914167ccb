import { escapeMarkup } from '@pacioli/core';
import type { HeldPosition } from '../positions/index.ts';
import { amountText, decimalText } from '../values/index.ts';
import { costChart } from './cost-chart.ts';
import { type HeldGroup, type HoldingsOverview, omittedOf } from './held-groups.ts';

/** The policy of the page: it loads and runs nothing. */
export const pagePolicy = "sandbox; default-src 'none'; style-src 'unsafe-inline'";

/** The holdings of a portfolio as one page for people, without anything that it would have to load. */
export function writeHoldingsPage(overview: HoldingsOverview, now: Date): string {
  const { portfolio, kinds } = overview;
  return [
    '<!DOCTYPE html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    // A page that is stored keeps its policy; browsers accept the sandbox only in the header.
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escapeMarkup(`${portfolio.name}: holdings`)}</title>`,
    `<style>${style}</style>`,
    '</head>',
    '<body>',
    `<header><h1>${escapeMarkup(portfolio.name)}</h1>`,
    `<p>Holdings as of ${now.toISOString().slice(0, 16).replace('T', ' ')} UTC</p>`,
    `<p class="note">Amounts are in ${escapeMarkup(portfolio.base_currency)} unless a currency stands beside them. Portfolio ${escapeMarkup(portfolio.id)}.</p></header>`,
    '<main>',
    summarySection(overview),
    ...(overview.positionCount === 0 ? [] : [kindSection(kinds, portfolio.base_currency), issuerSection(overview)]),
    '</main>',
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

const style = `
body { font: 14px/1.4 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; color: #111; background: #fff; }
h1 { margin: 0; font-size: 1.6rem; overflow-wrap: anywhere; } h2 { font-size: 1.2rem; } header p { margin: 0.2rem 0; }
.note { color: #555; font-size: 0.85rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { padding: 0.2rem 0.5rem; text-align: left; vertical-align: top; }
thead th { border-bottom: 2px solid #111; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
tbody th { font-weight: 400; overflow-wrap: anywhere; min-width: 9rem; }
tr.group th { font-weight: 600; padding-top: 0.7rem; }
tr.group td { font-weight: 600; padding-top: 0.7rem; }
tr.total th, tr.total td { font-weight: 600; border-top: 1px solid #999; }
tr.security th { padding-left: 1.5rem; }
section { margin-top: 2rem; }
svg { display: block; width: 100%; max-width: 46rem; height: auto; margin-bottom: 1rem; }
svg text { font-size: 12px; dominant-baseline: middle; fill: #111; } svg text.label { text-anchor: end; }
svg rect { fill: #2b6cb0; }
@media print {
  body { margin: 0; max-width: none; font-size: 9pt; } .scroll { overflow: visible; } section { break-before: auto; }
  tr { break-inside: avoid; } tr.group { break-after: avoid; } thead { display: table-header-group; } svg { break-inside: avoid; }
}
`;

function summarySection(overview: HoldingsOverview): string {
  const { totals, positionCount, valuedCount } = overview;
  const value = totals.currentValue === null ? 'no position has a value' : amountText(totals.currentValue);
  const valued = valuedCount === positionCount ? '' : ` (${valuedCount} of ${positionCount} positions have a value)`;
  const omitted = omittedOf(overview).map(({ currency, count, costBasis, currentValue }) => {
    const values = currentValue === null ? '' : `, value ${amountText(currentValue)}`;
    return `<li>${count} in ${escapeMarkup(currency)}: cost ${amountText(costBasis)}${values}</li>`;
  });
  return [
    '<section aria-label="Summary"><table><tbody>',
    `<tr><th scope="row">Active positions</th><td class="number">${positionCount}</td></tr>`,
    `<tr><th scope="row">Cost basis</th><td class="number">${amountText(totals.costBasis)}</td></tr>`,
    `<tr><th scope="row">Current value${valued}</th><td class="number">${value}</td></tr>`,
    '</tbody></table>',
    ...(omitted.length === 0
      ? []
      : ['<p>Not part of any total, because there is no exchange rate:</p><ul>', ...omitted, '</ul>']),
    '</section>',
  ].join('\n');
}

function kindSection(kinds: readonly HeldGroup[], currency: string): string {
  return [
    '<section><h2>By kind of security</h2>',
    costChart(kinds, currency),
    '<div class="scroll"><table><thead><tr><th scope="col">Kind</th><th class="number" scope="col">Positions</th>',
    '<th class="number" scope="col">Cost basis</th><th class="number" scope="col">Current value</th></tr></thead><tbody>',
    ...kinds.map(
      ({ title, positions, totals }) =>
        `<tr><th scope="row">${escapeMarkup(title)}</th><td class="number">${positions.length}</td>${totalCells(totals)}</tr>`,
    ),
    '</tbody></table></div></section>',
  ].join('\n');
}

function issuerSection({ issuers, totals, portfolio }: HoldingsOverview): string {
  return [
    '<section><h2>By issuer</h2>',
    '<div class="scroll"><table><thead><tr><th scope="col">Security</th><th class="number" scope="col">Quantity</th>',
    '<th scope="col">of</th><th class="number" scope="col">Cost basis</th><th class="number" scope="col">Current value</th></tr></thead>',
    ...issuers.map((issuer) => issuerRows(issuer, portfolio.base_currency)),
    `<tbody><tr class="total"><th scope="row" colspan="3">All issuers</th>${totalCells(totals)}</tr></tbody>`,
    '</table></div></section>',
  ].join('\n');
}

function issuerRows({ title, positions, totals }: HeldGroup, baseCurrency: string): string {
  return [
    `<tbody><tr class="group"><th scope="rowgroup" colspan="3">${escapeMarkup(title)}</th>${totalCells(totals)}</tr>`,
    ...positions.map((position) => positionRow(position, baseCurrency)),
    '</tbody>',
  ].join('\n');
}

function positionRow(position: HeldPosition, baseCurrency: string): string {
  const own = position.currency === baseCurrency ? '' : ` ${escapeMarkup(position.currency)}`;
  const value = position.current_value === null ? '' : `${amountText(BigInt(position.current_value))}${own}`;
  const inactive = position.security_is_active ? '' : ' (inactive)';
  return [
    `<tr class="security"><th scope="row">${escapeMarkup(position.security_name)}${inactive}</th>`,
    `<td class="number">${decimalText(position.quantity)}</td><td>${escapeMarkup(position.quantity_type)}</td>`,
    `<td class="number">${amountText(BigInt(position.cost_basis))}${own}</td><td class="number">${value}</td></tr>`,
  ].join('');
}

function totalCells({ costBasis, currentValue }: HeldGroup['totals']): string {
  const value = currentValue === null ? '' : amountText(currentValue);
  return `<td class="number">${amountText(costBasis)}</td><td class="number">${value}</td>`;
}
