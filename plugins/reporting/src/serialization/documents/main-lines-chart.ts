import { escapeMarkup, oneLine } from '@pacioli/core';
import { decimalUnits, scaleOf } from '../bundle/index.ts';
import { type AmountUnit, amountText } from './amounts.ts';
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
/** The actual columns of a report, from dark to light; more are not drawn. */
const fills = ['#1f4e79', '#5b8db8', '#a3c1da', '#c9d9e8'];
const negativeFill = '#b03a2e';
/** Bars of a forecast are light with a broken outline. */
const forecastBar = { fill: '#eef3f8', stroke: '#5b8db8' };
const negativeForecastBar = { fill: '#f8e9e7', stroke: negativeFill };

interface Line {
  readonly row: ShownRow;
  readonly bars: readonly Bar[];
}

interface Bar {
  readonly label: string;
  /** An exact decimal; null without a fact. */
  readonly value: string | null;
  /** Of an actual column; undefined for one of the forecast. */
  readonly fill: string | undefined;
}

/**
 * A bar chart of the main lines in the first columns and those of the forecast, drawn as SVG (reporting G-7). Its
 * description has the figures for readers who cannot see it. Empty for a report without these lines.
 */
export function mainLinesChart(
  statements: readonly ShownStatement[],
  unit: AmountUnit,
  forecastName: string | undefined,
): string {
  const lines = mainLines.flatMap((concepts) => lineOf(statements, concepts) ?? []);
  const amounts = lines.flatMap(({ bars }) => bars.flatMap(({ value }) => value ?? []));
  const largest = Math.max(0, ...amounts.map((value) => Math.abs(Number(value))));
  if (largest === 0) return '';
  const legend = forecastName === undefined ? '' : legendMarkup(oneLine(forecastName));
  const heightOf = ({ bars }: Line): number => titleHeight + bars.length * barHeight;
  const start = legend === '' ? 0 : titleHeight;
  const height = lines.reduce((sum, line) => sum + heightOf(line), start);
  let top = start;
  const groups = lines.map((line) => {
    const markup = groupMarkup(line, { top, largest, unit });
    top += heightOf(line);
    return markup;
  });
  return [
    `<figure><svg role="img" aria-labelledby="chart-title chart-description" viewBox="0 0 ${width} ${height}" preserveAspectRatio="xMinYMin">`,
    '<title id="chart-title">Main lines</title>',
    `<desc id="chart-description">${escapeMarkup(lines.map((line) => described(line, unit)).join(' '))}</desc>`,
    ...(legend === '' ? [] : [legend]),
    ...groups,
    '</svg></figure>',
  ].join('\n');
}

/** The first row of a main line, if possible of a statement with the columns of the forecast. */
function lineOf(statements: readonly ShownStatement[], concepts: readonly string[]): Line | undefined {
  const planned = statements.filter(({ columns }) => columns.some(({ isForecast }) => isForecast === true));
  return firstLine(planned, concepts) ?? firstLine(statements, concepts);
}

/** The first row with an amount in every column, because a forecast may have a part only; else the first row. */
function firstLine(statements: readonly ShownStatement[], concepts: readonly string[]): Line | undefined {
  const lines = concepts.flatMap((name) =>
    statements.flatMap(({ rows, columns }): readonly Line[] => {
      // One with members is a part of the line.
      const row = rows.find(({ concept, isMoney }) => isMoney && concept.endsWith(`:${name}`));
      return row === undefined ? [] : [{ row, bars: barsOf(row, columns) }];
    }),
  );
  return lines.find(({ bars }) => bars.every(({ value }) => value !== null)) ?? lines[0];
}

function barsOf({ values }: ShownRow, columns: ShownStatement['columns']): readonly Bar[] {
  return columns.flatMap(({ label, isForecast }, index): readonly Bar[] => {
    const fill = isForecast === true ? undefined : fills[index];
    return isForecast !== true && fill === undefined ? [] : [{ label, value: values[index] ?? null, fill }];
  });
}

function described({ row, bars }: Line, unit: AmountUnit): string {
  const values = bars.map(
    ({ label, value }) => `${oneLine(label)} ${value === null ? 'none' : amountText(value, unit)}`,
  );
  return `${oneLine(row.label)}: ${values.join(', ')}.`;
}

function groupMarkup(
  { row, bars }: Line,
  { top, largest, unit }: { readonly top: number; readonly largest: number; readonly unit: AmountUnit },
): string {
  const drawn = bars.map(({ label, value, fill }, index) => {
    const y = top + titleHeight + index * barHeight;
    const name = `<text x="${labelWidth - 8}" y="${y + 10}" text-anchor="end" fill="#555">${escapeMarkup(oneLine(label))}</text>`;
    if (value === null) return name;
    const isNegative = decimalUnits(value, scaleOf(value)) < 0n;
    const length = Math.max(1, (Math.abs(Number(value)) / largest) * plotWidth);
    return [
      name,
      `<rect x="${labelWidth}" y="${y}" width="${length.toFixed(1)}" height="${barHeight - 3}" ${paint(fill, isNegative)}/>`,
      `<text x="${(labelWidth + length + 6).toFixed(1)}" y="${y + 10}">${amountText(value, unit)}</text>`,
    ].join('');
  });
  return `<text x="0" y="${top + 14}" font-weight="600">${escapeMarkup(oneLine(row.label))}</text>${drawn.join('')}`;
}

function paint(fill: string | undefined, isNegative: boolean): string {
  if (fill !== undefined) return `fill="${isNegative ? negativeFill : fill}"`;
  const bar = isNegative ? negativeForecastBar : forecastBar;
  return `fill="${bar.fill}" stroke="${bar.stroke}" stroke-dasharray="3 2"`;
}

function legendMarkup(forecastName: string): string {
  const box = (x: number, fill: string | undefined): string =>
    `<rect x="${x}" y="3" width="16" height="${barHeight - 3}" ${paint(fill, false)}/>`;
  const name = forecastName.length > maxNameCharacters ? `${forecastName.slice(0, maxNameCharacters)}…` : forecastName;
  return [
    box(labelWidth, fills[0]),
    `<text x="${labelWidth + 22}" y="13">Actual</text>`,
    box(labelWidth + 80, undefined),
    `<text x="${labelWidth + 102}" y="13">Forecast: ${escapeMarkup(name)}</text>`,
  ].join('');
}

/** Of the name of a forecast in the legend; the head of the page has all of it. */
const maxNameCharacters = 40;
