import writeWorkbook, { type Cell, type Sheet } from 'write-excel-file/node';
import { type ReportBundle, scaleOf } from '../bundle/index.ts';
import { withFixedTimes } from '../zip/index.ts';
import type { AmountUnit } from './amounts.ts';
import { datesOf, noteText, type PrintedReport, printedReport } from './printed-statements.ts';
import type { ShownRow, ShownStatement, ShownSum } from './shown-statement.ts';
import { difference, sumOfParts, withResults } from './stored-results.ts';

/** Rows above the first row of a statement: its name, the unit of its amounts, its heads and their dates. */
const headRows = 4;
const labelWidth = 60;
const numberWidth = 18;
const maxSheetNameCharacters = 31;

/**
 * A report as a workbook: one sheet for each statement with numbers as numbers and formulas for totals, and a sheet that
 * compares every total with its parts (reporting G-7). Texts are cells of text, which no program runs as formulas.
 */
export async function writeXlsx(bundle: ReportBundle): Promise<Uint8Array> {
  const names = new Set<string>();
  const printed = printedReport(bundle);
  const statements = printed.statements.map((statement) => ({ statement, name: sheetName(names, statement.name) }));
  const sheets = [
    ...statements.map((each) => statementSheet(bundle, each, printed)),
    tiesSheet(bundle, statements, sheetName(names, 'Ties')),
  ];
  const results = [
    ...statements.map(({ statement }) => resultsOf(statement)),
    statements.flatMap(({ statement }) => tieResults(statement)),
  ];
  return withFixedTimes(await writeWorkbook(sheets).toBuffer(), (file) => withResults(file, results));
}

type WorkbookSheet = Sheet<never>;

interface NamedStatement {
  readonly statement: ShownStatement;
  readonly name: string;
}

/** A name that workbooks accept, unique among the sheets regardless of case. */
function sheetName(taken: Set<string>, wanted: string): string {
  const base =
    wanted
      .replaceAll(/[[\]:*?/\\'\p{Cc}]/gu, ' ')
      .trim()
      .slice(0, maxSheetNameCharacters) || 'Sheet';
  let name = base;
  for (let number = 2; taken.has(name.toLowerCase()); number += 1) {
    const suffix = ` ${number}`;
    name = `${base.slice(0, maxSheetNameCharacters - suffix.length)}${suffix}`;
  }
  taken.add(name.toLowerCase());
  return name;
}

type CellStyle = Omit<Extract<Cell, { readonly type?: unknown }>, 'value' | 'type'>;

/** Sets the columns of a forecast apart from actual ones. */
const forecastStyle: CellStyle = { fontStyle: 'italic', backgroundColor: '#eef3f8' };

/** Control characters, which XML forbids except for line breaks and tabs, and controls of the writing direction. */
const unsafe = /(?![\t\n])\p{Cc}|\p{Bidi_Control}/gu;

function text(value: string, style: CellStyle = {}): Cell {
  return { type: String, value: value.replaceAll(unsafe, ' '), ...style };
}

function statementSheet(
  bundle: ReportBundle,
  { statement, name }: NamedStatement,
  { unit, note }: PrintedReport,
): WorkbookSheet {
  const { columns, rows, sums, isInstant } = statement;
  const totals = new Map(sums.map((sum) => [sum.total, sum]));
  const heads = columns.map(({ label, isForecast }) => {
    return text(label, {
      ...(isForecast === true ? forecastStyle : {}),
      fontWeight: 'bold',
      align: 'right',
      wrap: true,
    });
  });
  const dates = columns.map(({ isForecast, ...column }) => {
    return text(datesOf(column, isInstant), {
      ...(isForecast === true ? forecastStyle : {}),
      align: 'right',
      wrap: true,
    });
  });
  return {
    sheet: name,
    columns: [{ width: labelWidth }, ...columns.map(() => ({ width: numberWidth }))],
    stickyRowsCount: headRows,
    data: [
      [text(`${bundle.entity.name}: ${statement.name}`, { fontWeight: 'bold' })],
      [text(noteText(note))],
      [text(bundle.report.name), ...heads],
      [null, ...dates],
      ...rows.map((row, index) => sheetRow(row, { statement, sum: totals.get(index), unit })),
    ],
  };
}

function sheetRow(
  row: ShownRow,
  {
    statement,
    sum,
    unit,
  }: { readonly statement: ShownStatement; readonly sum: ShownSum | undefined; readonly unit: AmountUnit },
): Cell[] {
  const isStrong = row.kind === 'heading' || row.kind === 'total';
  const style: CellStyle = isStrong ? { fontWeight: 'bold' } : {};
  const label = text(row.label, { indent: row.depth, ...style });
  if (row.kind === 'text') return [label, text(row.text ?? '', { wrap: true })];
  const cells = row.values.map((value, column): Cell => {
    const cell: CellStyle = statement.columns[column]?.isForecast === true ? { ...style, ...forecastStyle } : style;
    if (value === null) return null;
    const format = row.isMoney && unit.digits > 0 ? roundedFormat(unit) : formatOf(value);
    const isSum = sum !== undefined && isExact(statement, sum, column);
    if (isSum) return { type: 'Formula', value: formulaOf(sum, column), format, ...cell };
    return { type: Number, value: Number(value), format, ...cell };
  });
  return [label, ...cells];
}

/** As many digits after the point as the fact has; negative numbers in parentheses. */
function formatOf(value: string): string {
  const digits = scaleOf(value);
  const number = digits === 0 ? '#,##0' : `#,##0.${'0'.repeat(digits)}`;
  return `${number};(${number})`;
}

/** Shows thousands or millions of the exact amount in the cell. */
function roundedFormat({ digits }: AmountUnit): string {
  const number = `#,##0${','.repeat(digits / 3)}`;
  return `${number};(${number})`;
}

function cellOf(row: number, column: number): string {
  return `${columnName(column + 1)}${row + headRows + 1}`;
}

/** The letters of a column, from 0 for `A`. */
function columnName(index: number): string {
  const rest = Math.floor(index / 26);
  return `${rest === 0 ? '' : columnName(rest - 1)}${String.fromCharCode(65 + (index % 26))}`;
}

function formulaOf({ parts, direct }: ShownSum, column: number, sheet = ''): string {
  const terms = parts.map(({ row, factor }) => {
    const sign = factor < 0 ? '-' : '+';
    const cell = `${sheet}${cellOf(row, column)}`;
    return Math.abs(factor) === 1 ? `${sign}${cell}` : `${sign}${Math.abs(factor)}*${cell}`;
  });
  const own = direct[column];
  if (own != null) terms.push(own.startsWith('-') ? own : `+${own}`);
  return terms.join('').replace(/^\+/, '');
}

/** True if the parts of a column add up to its total exactly, so that a formula shows the same number. */
function isExact(statement: ShownStatement, sum: ShownSum, column: number): boolean {
  const parts = sumOfParts(statement, sum, column);
  const total = statement.rows[sum.total]?.values[column] ?? '0';
  return parts !== undefined && /^-?0*\.?0*$/.test(difference(total, parts));
}

/** The results of the formulas of a sheet, in the order of their cells. */
function resultsOf(statement: ShownStatement): readonly string[] {
  const totals = new Map(statement.sums.map((sum) => [sum.total, sum]));
  return statement.rows.flatMap(({ values }, index) => {
    const sum = totals.get(index);
    if (sum === undefined) return [];
    return values.flatMap((value, column) => (value !== null && isExact(statement, sum, column) ? [value] : []));
  });
}

/** The results of the sums and differences of the ties of a statement. */
function tieResults(statement: ShownStatement): readonly string[] {
  return checkedSums(statement).flatMap(({ value, parts }) => [parts, difference(value, parts)]);
}

interface CheckedSum {
  readonly sum: ShownSum;
  readonly column: number;
  readonly row: ShownRow;
  /** What is reported, and what the parts add up to. */
  readonly value: string;
  readonly parts: string;
}

/** The totals that the sheet of ties compares with their parts. */
function checkedSums(statement: ShownStatement): readonly CheckedSum[] {
  return statement.sums.flatMap((sum) =>
    statement.columns.flatMap((_column, column): readonly CheckedSum[] => {
      const row = statement.rows[sum.total];
      const value = row?.values[column];
      const parts = sumOfParts(statement, sum, column);
      return row === undefined || value == null || parts === undefined ? [] : [{ sum, column, row, value, parts }];
    }),
  );
}

/** Every total next to the sum of its parts, by formulas, and what the service checked when the report was generated. */
function tiesSheet({ structures }: ReportBundle, statements: readonly NamedStatement[], sheet: string): WorkbookSheet {
  const heads = ['Statement', 'Total', 'Column', 'Reported', 'Sum of its parts', 'Difference'];
  const ties = statements.flatMap(({ statement, name }) => tiesOf(statement, name));
  const rows = ties.map((cells, index): Cell[] => {
    const row = index + 2;
    return [...cells, { type: 'Formula', value: `ROUND(D${row}-E${row},6)`, format: '#,##0.00' }];
  });
  const findings = structures.flatMap(({ name, checks, failures, warnings }) => [
    ...checks.map((check) => [text(name), text('checked'), text(check)]),
    ...failures.map((failure) => [text(name), text('failed'), text(failure)]),
    ...warnings.map((warning) => [text(name), text('warning'), text(warning)]),
  ]);
  return {
    sheet,
    columns: [{ width: 40 }, { width: labelWidth }, ...heads.slice(2).map(() => ({ width: numberWidth }))],
    stickyRowsCount: 1,
    data: [heads.map((head) => text(head, { fontWeight: 'bold' })), ...rows, [], ...findings],
  };
}

function tiesOf(statement: ShownStatement, name: string): readonly Cell[][] {
  const sheet = `'${name}'!`;
  return checkedSums(statement).map(({ sum, column, row, value }): Cell[] => {
    const format = formatOf(value);
    return [
      text(name),
      text(row.label),
      text(statement.columns[column]?.label ?? ''),
      { type: Number, value: Number(value), format },
      { type: 'Formula', value: formulaOf(sum, column, sheet), format },
    ];
  });
}
