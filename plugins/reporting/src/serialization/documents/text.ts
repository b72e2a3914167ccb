import { oneLine } from '@pacioli/core';
import type { ReportBundle } from '../bundle/index.ts';
import { type AmountUnit, amountText } from './amounts.ts';
import { datesOf, noteText, printedReport } from './printed-statements.ts';
import type { ShownColumn, ShownRow, ShownStatement } from './shown-statement.ts';

/** A statement of a few columns is as wide as a terminal. */
const lineWidth = 100;
const minLabelWidth = 36;
const indentWidth = 2;
const gap = '  ';

/** A report as text for a terminal (reporting G-7). */
export function writeText(bundle: ReportBundle): string {
  const { statements, unit, note: parts } = printedReport(bundle);
  const note = noteText(parts);
  const texts = statements.map((statement) => [
    oneLine(bundle.entity.name),
    oneLine(statement.name),
    ...statement.columns.map(({ label, ...dates }) => `${oneLine(label)}: ${datesOf(dates, statement.isInstant)}`),
    ...(note === '' ? [] : [note]),
    '',
    ...statementLines(statement, unit),
  ]);
  return `${texts.map((lines) => lines.join('\n')).join('\n\n\n')}\n`;
}

/** The head and the rows of a statement as lines of text. Labels that are too long go on in the next line. */
export function statementLines({ columns, rows }: ShownStatement, unit: AmountUnit): readonly string[] {
  const heads = columns.map(headLines);
  const cells = rows.map((row) => row.values.map((value) => cellText(row, value, unit)));
  const widths = heads.map((head, column) => {
    return Math.max(...[...head, ...cells.map((own) => own[column] ?? '')].map(({ length }) => length));
  });
  const amountsWidth = widths.reduce((sum, width) => sum + width + gap.length, 0);
  const labelWidth = Math.max(minLabelWidth, lineWidth - amountsWidth);
  const amounts = (texts: readonly string[]): string =>
    widths.map((width, column) => `${gap}${(texts[column] ?? '').padStart(width)}`).join('');
  const rule = amounts(widths.map((width) => '─'.repeat(width)));
  const blank = ' '.repeat(labelWidth);
  const height = Math.max(1, ...heads.map(({ length }) => length));
  return [
    ...Array.from({ length: height }, (_each, line) => {
      return `${blank}${amounts(heads.map((head) => head[line - height + head.length] ?? ''))}`;
    }),
    `${blank}${rule}`,
    ...rows.flatMap((row, index): readonly string[] => {
      const wrapped = wrappedLabel(row, labelWidth);
      const last = `${(wrapped.at(-1) ?? '').padEnd(labelWidth)}${amounts(cells[index] ?? [])}`.trimEnd();
      // A sum of the lines above it has a rule; a sum of sums does not need a second one.
      const isSum = row.kind === 'total' && rows[index - 1]?.kind === 'item';
      return [...(isSum ? [`${blank}${rule}`] : []), ...wrapped.slice(0, -1), last];
    }),
  ];
}

/** The label of a column; that of a forecast says so in a line of its own. */
function headLines({ label, isForecast }: ShownColumn): readonly string[] {
  const text = oneLine(label);
  return isForecast === true ? text.split(/ (?=\(forecast\)$)/) : [text];
}

/** Amounts of money in the unit of the report, other numbers as they are. The parenthesis of a negative one hangs out. */
function cellText({ isMoney }: ShownRow, value: string | null, unit: AmountUnit): string {
  if (value === null) return '';
  const text = amountText(value, isMoney ? unit : { digits: 0, prefix: '' });
  return text.endsWith(')') ? text : `${text} `;
}

function wrappedLabel({ kind, label, depth, text }: ShownRow, width: number): readonly string[] {
  const indent = ' '.repeat(Math.min(depth * indentWidth, width / 2));
  const lines: string[] = [];
  const words = oneLine(kind === 'text' ? `${label}: ${text ?? ''}` : label).split(' ');
  let line = indent;
  for (const word of words) {
    const longer = line.trim() === '' ? `${line}${word}` : `${line} ${word}`;
    if (longer.length <= width || line.trim() === '') line = longer;
    else {
      lines.push(line);
      line = `${indent}${' '.repeat(indentWidth)}${word}`;
    }
  }
  return [...lines, line];
}
