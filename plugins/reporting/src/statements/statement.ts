import {
  balanceSheetLeaves,
  type ColumnAmounts,
  type ColumnValues,
  incomeStatementLeaves,
  type Layout,
  netIncomeOf,
  type Placed,
  resolve,
  type ShownRow,
  shownRows,
} from './statement-lines.ts';
import { type CheckedColumn, type Validation, validateBalanceSheet, validateIncomeStatement } from './validation.ts';

/** The statements that the engine can produce. */
export const statementKinds = ['income_statement', 'balance_sheet'] as const;
export type StatementKind = (typeof statementKinds)[number];

export function isStatementKind(name: string): name is StatementKind {
  return statementKinds.some((kind) => kind === name);
}

export interface LabeledColumn extends ColumnAmounts {
  readonly label: string;
}

export interface Statement {
  readonly rows: readonly ShownRow[];
  /** Every line with a value in each column, including those that are not displayed. */
  readonly columns: readonly ColumnValues[];
  readonly validation: Validation;
}

/**
 * Lays out and checks a statement; pure, exact and in minor units. `amountText` formats amounts in the findings
 * (reporting 6.1, 6.3, 3.6).
 */
export function makeStatement(
  kind: StatementKind,
  layout: Layout,
  columns: readonly LabeledColumn[],
  amountText: (minor: bigint) => string,
): Statement {
  const isBalanceSheet = kind === 'balance_sheet';
  const lines = isBalanceSheet ? layout.balanceSheet : layout.incomeStatement;
  const checked = columns.map((column): CheckedColumn => {
    const placed = isBalanceSheet ? balanceSheetLeaves(layout, column) : incomeStatementLeaves(layout, column);
    return {
      label: column.label,
      values: resolve(lines, placed.own),
      own: placed.own,
      netIncome: netIncomeOf(layout, column),
      missing: [...missingConcepts(placed, amountText), ...missingAccounts(kind, column, amountText)],
      omitted: isBalanceSheet ? column.omitted?.cumulative : column.omitted?.movement,
    };
  });
  const values = checked.map((column) => column.values);
  const rows = shownRows(lines, values);
  const validate = isBalanceSheet ? validateBalanceSheet : validateIncomeStatement;
  return { rows, columns: values, validation: validate({ lines, rows, columns: checked, amountText }) };
}

function missingConcepts(placed: Placed, amountText: (minor: bigint) => string): readonly string[] {
  return placed.unplaced.map(
    ({ qname, amount }) => `${qname} has ${amountText(amount)} and no line of the statement shows it`,
  );
}

/** Accounts missing from this kind of statement because they have no mapping (reporting S-31). */
function missingAccounts(
  kind: StatementKind,
  column: ColumnAmounts,
  amountText: (minor: bigint) => string,
): readonly string[] {
  const amounts =
    kind === 'balance_sheet'
      ? column.unmapped.map((account) => account.cumulative)
      : column.unmapped.filter(({ period }) => period === 'duration').map((account) => account.movement ?? 0n);
  const missing = amounts.filter((amount) => amount !== 0n);
  if (missing.length === 0) return [];
  const sum = missing.reduce((total, amount) => total + amount, 0n);
  return [`${missing.length} unmapped account(s) with balance ${amountText(sum)}`];
}
