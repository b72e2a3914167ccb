import type { ColumnValues, FailedCheck, Line, ShownRow } from './statement-lines.ts';

/** The result of checking a rendered statement (reporting R-25). */
export interface Validation {
  readonly passed: boolean;
  /** Inconclusive where no check exists for the statement. */
  readonly status: 'passed' | 'failed' | 'inconclusive';
  readonly checks: readonly string[];
  readonly failures: readonly string[];
  readonly warnings: readonly string[];
}

export interface CheckedColumn {
  readonly label: string;
  readonly values: ColumnValues;
  /** The amounts that accounts have on each line directly, before any summing. */
  readonly own: ColumnValues;
  /** Net income of the column computed from the accounts. */
  readonly netIncome: bigint;
  /** Accounts and concepts whose amount appears on no line. */
  readonly missing: readonly string[];
  /** The finding about posted lines in other currencies, which no value includes (ledger L-5a). */
  readonly omitted: FailedCheck | undefined;
  /** The findings of checks outside of this file. */
  readonly findings?: { readonly failures: readonly string[]; readonly warnings: readonly string[] };
}

/** A laid-out statement to check. */
export interface CheckedStatement {
  readonly lines: readonly Line[];
  readonly rows: readonly ShownRow[];
  readonly columns: readonly CheckedColumn[];
  amountText(minor: bigint): string;
}

const assets = 'rs-gaap:Assets';
const liabilitiesAndEquity = 'rs-gaap:LiabilitiesAndStockholdersEquity';
const netIncome = 'rs-gaap:NetIncomeLoss';
const totalsFoot = 'totals_foot';

/**
 * Checks that assets equal liabilities and equity, that totals foot and that nothing is left out (reporting R-26, S-31,
 * S-36).
 */
export function validateBalanceSheet(statement: CheckedStatement): Validation {
  return outcome(['accounting_equation', totalsFoot], statement, ({ values }) => {
    const [left, right] = [values.get(assets) ?? 0n, values.get(liabilitiesAndEquity) ?? 0n];
    if (left === right) return [];
    const [assetText, otherText] = [statement.amountText(left), statement.amountText(right)];
    return [`accounting_equation: assets of ${assetText} differ from liabilities and equity of ${otherText}`];
  });
}

/** Checks that net income agrees with the accounts, that totals foot and that nothing is left out (reporting R-26). */
export function validateIncomeStatement(statement: CheckedStatement): Validation {
  return outcome(['net_income_equation', totalsFoot], statement, (column) => {
    const shown = column.values.get(netIncome) ?? 0n;
    if (shown === column.netIncome) return [];
    const [shownText, madeText] = [statement.amountText(shown), statement.amountText(column.netIncome)];
    return [`net_income_equation: the statement shows ${shownText}, the accounts make ${madeText}`];
  });
}

/** Checks that the lines of a cash flow tie to cash, that totals foot and that nothing is left out (reporting R-26). */
export function validateCashFlow(statement: CheckedStatement): Validation {
  return outcome(['cash_tie', totalsFoot], statement, () => []);
}

/** Checks that the roll-forward of equity ties to the balance sheet and that nothing is left out (reporting R-26). */
export function validateEquity(statement: CheckedStatement): Validation {
  return outcome(['equity_tie'], statement, () => []);
}

/** The warnings for a statement for which no check exists (reporting R-25). */
export function withoutChecks(statement: CheckedStatement): Validation {
  return { passed: false, status: 'inconclusive', checks: [], failures: [], warnings: warnings(statement) };
}

function outcome(
  checks: readonly string[],
  statement: CheckedStatement,
  equationFailures: (column: CheckedColumn) => readonly string[],
): Validation {
  const { columns } = statement;
  const failures = columns.flatMap((column) =>
    prefixed(columns, column, [
      ...equationFailures(column),
      ...(column.findings?.failures ?? []),
      ...footing(statement, column),
      ...column.missing,
      ...(column.omitted === undefined ? [] : [column.omitted.finding]),
    ]),
  );
  const otherChecks = new Set(columns.flatMap(({ omitted }) => omitted?.check ?? []));
  const isPassed = failures.length === 0;
  return {
    passed: isPassed,
    status: isPassed ? 'passed' : 'failed',
    checks: [...checks, ...otherChecks],
    failures,
    warnings: warnings(statement),
  };
}

/** A total equals the sum of its parts and its own direct amount (reporting R-26, S-32). */
function footing({ lines, amountText }: CheckedStatement, { values, own }: CheckedColumn): readonly string[] {
  return lines.flatMap((line) => {
    const value = values.get(line.qname);
    const parts = line.calculation.filter((part) => values.has(part.qname));
    if (value === undefined || parts.length === 0) return [];
    const sum = parts.reduce(
      (total, part) => total + (values.get(part.qname) ?? 0n) * BigInt(Math.sign(part.weight)),
      own.get(line.qname) ?? 0n,
    );
    return sum === value
      ? []
      : [`totals_foot: ${line.label} is ${amountText(value)}, its parts make ${amountText(sum)}`];
  });
}

function warnings({ lines, rows, columns }: CheckedStatement): readonly string[] {
  const totals = lines.filter((line) => line.calculation.length > 0);
  const zero = rows.filter(
    (row) => row.isSubtotal && row.line.depth <= 1 && row.values.every((value) => (value ?? 0n) === 0n),
  );
  // The earnings line always has a value, so a column counts as empty if all its values are zero.
  const empty = columns.slice(1).filter((column) => [...column.values.values()].every((value) => value === 0n));
  const direct = columns.flatMap((column) =>
    prefixed(
      columns,
      column,
      totals
        .filter(({ qname }) => column.own.has(qname))
        .map(({ label }) => `direct_total: accounts are mapped to ${label}, which is a total`),
    ),
  );
  return [
    ...zero.map((row) => `zero_subtotals: ${row.line.label} is zero`),
    ...empty.map((column) => `comparative_data: ${column.label} has no value`),
    ...direct,
    ...columns.flatMap((column) => prefixed(columns, column, column.findings?.warnings ?? [])),
  ];
}

function prefixed(
  columns: readonly CheckedColumn[],
  column: CheckedColumn,
  texts: readonly string[],
): readonly string[] {
  return columns.length > 1 ? texts.map((text) => `[${column.label}] ${text}`) : texts;
}
