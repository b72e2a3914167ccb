import { decimalUnits, scaleOf } from '../bundle/index.ts';
import { type AmountUnit, amountText } from './amounts.ts';
import { escaped } from './markup.ts';
import type { ShownRow, ShownStatement } from './shown-statement.ts';

/** The lines that readers look at first, each by its concepts in order of preference. */
const mainLines: readonly (readonly string[])[] = [
  ['Revenues', 'RevenueFromContractWithCustomerExcludingAssessedTax'],
  ['GrossProfit'],
  ['OperatingIncomeLoss'],
  ['NetIncomeLoss', 'ProfitLoss'],
  ['Assets'],
  ['Liabilities'],
  ['StockholdersEquity', 'PartnersCapital', 'MembersEquity'],
];

const width = 640;
const labelWidth = 220;
const amountWidth = 110;
const titleHeight = 20;
const barHeight = 14;
/** Of the plot between the labels and the amounts. */
const plotWidth = width - labelWidth - amountWidth;
/** The columns of a report, from dark to light. */
const fills = ['#1f4e79', '#5b8db8', '#a3c1da', '#c9d9e8'];

interface Line {
  readonly row: ShownRow;
  readonly columns: readonly string[];
}

/**
 * A bar chart of the main lines in the first columns, drawn as SVG (reporting G-7). Its description has the figures for
 * readers who cannot see it. Empty for a report without these lines.
 */
export function mainLinesChart(statements: readonly ShownStatement[], unit: AmountUnit): string {
  const lines = mainLines.flatMap((concepts) => lineOf(statements, concepts) ?? []);
  const amounts = lines.flatMap(({ row }) => row.values.slice(0, fills.length).flatMap((value) => value ?? []));
  const largest = Math.max(0, ...amounts.map((value) => Math.abs(Number(value))));
  if (largest === 0) return '';
  const heightOf = ({ columns }: Line): number => titleHeight + columns.length * barHeight;
  const height = lines.reduce((sum, line) => sum + heightOf(line), 0);
  let top = 0;
  const groups = lines.map((line) => {
    const markup = groupMarkup(line, { top, largest, unit });
    top += heightOf(line);
    return markup;
  });
  return [
    `<svg role="img" aria-labelledby="chart-title chart-description" viewBox="0 0 ${width} ${height}">`,
    '<title id="chart-title">Main lines</title>',
    `<desc id="chart-description">${escaped(lines.map((line) => described(line, unit)).join(' '))}</desc>`,
    ...groups,
    '</svg>',
  ].join('\n');
}

/** The first row of a main line; one with members is a part of it. */
function lineOf(statements: readonly ShownStatement[], concepts: readonly string[]): Line | undefined {
  for (const name of concepts) {
    for (const { rows, columns } of statements) {
      const row = rows.find(({ concept, isMoney }) => isMoney && concept.endsWith(`:${name}`));
      if (row !== undefined) return { row, columns: columns.slice(0, fills.length).map(({ label }) => label) };
    }
  }
  return undefined;
}

function described({ row, columns }: Line, unit: AmountUnit): string {
  const values = columns.map((label, index) => {
    const value = row.values[index] ?? null;
    return `${label} ${value === null ? 'none' : amountText(value, unit)}`;
  });
  return `${row.label}: ${values.join(', ')}.`;
}

function groupMarkup(
  { row, columns }: Line,
  { top, largest, unit }: { readonly top: number; readonly largest: number; readonly unit: AmountUnit },
): string {
  const bars = columns.map((label, index) => {
    const y = top + titleHeight + index * barHeight;
    const name = `<text x="${labelWidth - 8}" y="${y + 10}" text-anchor="end" fill="#555">${escaped(label)}</text>`;
    const value = row.values[index] ?? null;
    if (value === null) return name;
    const isNegative = decimalUnits(value, scaleOf(value)) < 0n;
    const length = Math.max(1, (Math.abs(Number(value)) / largest) * plotWidth);
    const fill = isNegative ? '#b03a2e' : (fills[index] ?? '');
    return [
      name,
      `<rect x="${labelWidth}" y="${y}" width="${length.toFixed(1)}" height="${barHeight - 3}" fill="${fill}"/>`,
      `<text x="${(labelWidth + length + 6).toFixed(1)}" y="${y + 10}">${amountText(value, unit)}</text>`,
    ].join('');
  });
  return `<text x="0" y="${top + 14}" font-weight="600">${escaped(row.label)}</text>${bars.join('')}`;
}
