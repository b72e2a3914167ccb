import type { ColumnValues, Line, ShownRow } from './statement-lines.ts';

/** The outcome of the checks on a rendered statement (reporting R-25). */
export interface Validation {
  readonly passed: boolean;
  readonly status: 'passed' | 'failed' | 'inconclusive';
  readonly checks: readonly string[];
  readonly failures: readonly string[];
  readonly warnings: readonly string[];
}

export interface CheckedColumn {
  readonly label: string;
  readonly values: ColumnValues;
  /** Net income of the column from the accounts themselves, for the income statement. */
  readonly netIncome: bigint;
  /** Accounts or concepts with an amount that no line shows. */
  readonly missing: readonly string[];
}

const assets = 'rs-gaap:Assets';
const liabilitiesAndEquity = 'rs-gaap:LiabilitiesAndStockholdersEquity';
const netIncome = 'rs-gaap:NetIncomeLoss';
const profit = 'rs-gaap:ProfitLoss';

/** Checks a balance sheet: assets are what is owed and owned, totals foot, nothing is left out (reporting R-26, S-31, S-36). */
export function validateBalanceSheet(
  lines: readonly Line[],
  rows: readonly ShownRow[],
  columns: readonly CheckedColumn[],
): Validation {
  const failures = columns.flatMap((column) => {
    const [left, right] = [column.values.get(assets) ?? 0n, column.values.get(liabilitiesAndEquity) ?? 0n];
    const equation =
      left === right ? [] : [`accounting_equation: assets ${left} differ from liabilities and equity ${right}`];
    return prefixed(columns, column, [...equation, ...footing(lines, column.values), ...column.missing]);
  });
  return outcome(['accounting_equation', 'totals_foot'], failures, warnings(rows, columns));
}

/** Checks an income statement: its net income is what the accounts say, totals foot, nothing is left out (reporting R-26). */
export function validateIncomeStatement(
  lines: readonly Line[],
  rows: readonly ShownRow[],
  columns: readonly CheckedColumn[],
): Validation {
  const failures = columns.flatMap((column) => {
    const shown = column.values.get(netIncome) ?? column.values.get(profit) ?? 0n;
    const equation =
      shown === column.netIncome
        ? []
        : [`net_income_equation: the statement shows ${shown}, the accounts make ${column.netIncome}`];
    return prefixed(columns, column, [...equation, ...footing(lines, column.values), ...column.missing]);
  });
  return outcome(['net_income_equation', 'totals_foot'], failures, warnings(rows, columns));
}

function footing(lines: readonly Line[], values: ColumnValues): readonly string[] {
  return lines.flatMap((line) => {
    const value = values.get(line.qname);
    const parts = line.calculation.filter((part) => values.has(part.qname));
    if (value === undefined || parts.length === 0) return [];
    const sum = parts.reduce(
      (total, part) => total + (values.get(part.qname) ?? 0n) * BigInt(Math.sign(part.weight)),
      0n,
    );
    return sum === value ? [] : [`totals_foot: ${line.label} is ${value}, its parts make ${sum}`];
  });
}

function warnings(rows: readonly ShownRow[], columns: readonly CheckedColumn[]): readonly string[] {
  const zero = rows.filter(
    (row) => row.isSubtotal && row.line.depth <= 1 && row.values.every((value) => (value ?? 0n) === 0n),
  );
  const empty = columns.slice(1).filter((column) => column.values.size === 0);
  return [
    ...zero.map((row) => `zero_subtotals: ${row.line.label} is zero`),
    ...empty.map((column) => `comparative_data: ${column.label} has no value`),
  ];
}

function prefixed(
  columns: readonly CheckedColumn[],
  column: CheckedColumn,
  texts: readonly string[],
): readonly string[] {
  return columns.length > 1 ? texts.map((text) => `[${column.label}] ${text}`) : texts;
}

function outcome(checks: readonly string[], failures: readonly string[], found: readonly string[]): Validation {
  const passed = failures.length === 0;
  return { passed, status: passed ? 'passed' : 'failed', checks, failures, warnings: found };
}
