import writeWorkbook, { type Cell, type Sheet } from 'write-excel-file/node';
import { decimalUnits, type ReportBundle, scaleOf } from '../bundle/index.ts';
import { withFixedTimes } from '../zip/index.ts';
import { type ShownRow, type ShownStatement, type ShownSum, shownStatements } from './shown-statement.ts';

/** Rows above the first row of a statement: its name, its heads. */
const headRows = 2;
const labelWidth = 60;
const numberWidth = 18;
const maxSheetNameCharacters = 31;

/**
 * A report as a workbook: one sheet for each statement with numbers as numbers and formulas for totals, and a sheet that
 * compares every total with its parts (reporting G-7). Texts are cells of text, which no program runs as formulas.
 */
export async function writeXlsx(bundle: ReportBundle): Promise<Uint8Array> {
  const names = new Set<string>();
  const statements = shownStatements(bundle).map((statement) => ({
    statement,
    name: sheetName(names, statement.name),
  }));
  const sheets = [
    ...statements.map(({ statement, name }) => statementSheet(bundle, statement, name)),
    tiesSheet(bundle, statements, sheetName(names, 'Ties')),
  ];
  return withFixedTimes(await writeWorkbook(sheets).toBuffer());
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

function text(value: string, style: CellStyle = {}): Cell {
  return { type: String, value, ...style };
}

function statementSheet(bundle: ReportBundle, statement: ShownStatement, sheet: string): WorkbookSheet {
  const { columns, rows, sums } = statement;
  const totals = new Map(sums.map((sum) => [sum.total, sum]));
  const heads = columns.map(({ label }) => text(label, { fontWeight: 'bold', align: 'right' }));
  return {
    sheet,
    columns: [{ width: labelWidth }, ...columns.map(() => ({ width: numberWidth }))],
    stickyRowsCount: headRows,
    data: [
      [text(`${bundle.entity.name}: ${statement.name}`, { fontWeight: 'bold' })],
      [text(bundle.report.name), ...heads],
      ...rows.map((row, index) => sheetRow(row, { statement, sum: totals.get(index) })),
    ],
  };
}

function sheetRow(
  row: ShownRow,
  { statement, sum }: { readonly statement: ShownStatement; readonly sum: ShownSum | undefined },
): Cell[] {
  const isStrong = row.kind === 'heading' || row.kind === 'total';
  const style: CellStyle = isStrong ? { fontWeight: 'bold' } : {};
  const label = text(row.label, { indent: row.depth, ...style });
  if (row.kind === 'text') return [label, text(row.text ?? '', { wrap: true })];
  const cells = row.values.map((value, column): Cell => {
    if (value === null) return null;
    const format = formatOf(value);
    const isSum = sum !== undefined && isExact(statement, sum, column);
    if (isSum) return { type: 'Formula', value: `=${formulaOf(sum, column)}`, format, ...style };
    return { type: Number, value: Number(value), format, ...style };
  });
  return [label, ...cells];
}

/** As many digits after the point as the fact has; negative numbers in parentheses. */
function formatOf(value: string): string {
  const digits = scaleOf(value);
  const number = digits === 0 ? '#,##0' : `#,##0.${'0'.repeat(digits)}`;
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

function formulaOf({ parts }: ShownSum, column: number, sheet = ''): string {
  const terms = parts.map(({ row, factor }) => {
    const sign = factor < 0 ? '-' : '+';
    const cell = `${sheet}${cellOf(row, column)}`;
    return Math.abs(factor) === 1 ? `${sign}${cell}` : `${sign}${Math.abs(factor)}*${cell}`;
  });
  return terms.join('').replace(/^\+/, '');
}

/** True if the parts of a column add up to its total exactly, so that a formula shows the same number. */
function isExact({ rows }: ShownStatement, { total, parts }: ShownSum, column: number): boolean {
  const valueAt = (row: number): string => rows[row]?.values[column] ?? '0';
  const values = [total, ...parts.map(({ row }) => row)].map(valueAt);
  const scale = Math.max(...values.map(scaleOf));
  if (parts.some(({ factor }) => !Number.isInteger(factor))) return false;
  const sum = parts.reduce((all, { row, factor }) => all + BigInt(factor) * decimalUnits(valueAt(row), scale), 0n);
  return sum === decimalUnits(valueAt(total), scale);
}

/** Every total next to the sum of its parts, by formulas, and what the service checked when the report was generated. */
function tiesSheet({ structures }: ReportBundle, statements: readonly NamedStatement[], sheet: string): WorkbookSheet {
  const heads = ['Statement', 'Total', 'Column', 'Reported', 'Sum of its parts', 'Difference'];
  const ties = statements.flatMap(({ statement, name }) => tiesOf(statement, name));
  const rows = ties.map((cells, index): Cell[] => {
    const row = index + 2;
    return [...cells, { type: 'Formula', value: `=ROUND(D${row}-E${row},6)`, format: '#,##0.00' }];
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

function tiesOf({ rows, columns, sums }: ShownStatement, name: string): readonly Cell[][] {
  const sheet = `'${name}'!`;
  return sums.flatMap((sum) =>
    columns.flatMap(({ label }, column): Cell[][] => {
      const row = rows[sum.total];
      const value = row?.values[column];
      if (row === undefined || value == null) return [];
      const format = formatOf(value);
      return [
        [
          text(name),
          text(row.label),
          text(label),
          { type: Number, value: Number(value), format },
          { type: 'Formula', value: `=${formulaOf(sum, column, sheet)}`, format },
        ],
      ];
    }),
  );
}
