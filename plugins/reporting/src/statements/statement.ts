import type { CashFlow, FlowNetwork } from '../cash-flow/index.ts';
import { cashFlowRows, equityRows, type FlowRows, type FlowValues } from './flow-statements.ts';
import { cashFlowWarnings, cashTie, equityTie } from './flow-validation.ts';
import {
  balanceSheetLeaves,
  type ColumnAmounts,
  type ColumnValues,
  incomeStatementLeaves,
  type Layout,
  type Line,
  netIncomeOf,
  type Placed,
  resolve,
  type ShownRow,
  shownRows,
} from './statement-lines.ts';
import {
  type CheckedColumn,
  type Validation,
  validateBalanceSheet,
  validateCashFlow,
  validateEquity,
  validateIncomeStatement,
} from './validation.ts';

const netIncomeConcept = 'rs-gaap:NetIncomeLoss';
const profitOrLoss = 'rs-gaap:ProfitLoss';

/** Statements of account sums, with any number of columns. */
const sumStatementKinds = ['income_statement', 'balance_sheet'] as const;
/** Statements of what happened in one column. */
const flowKinds = ['cash_flow_statement', 'equity_statement'] as const;
export const statementKinds = [...sumStatementKinds, ...flowKinds] as const;
export type SumStatementKind = (typeof sumStatementKinds)[number];
export type FlowStatementKind = (typeof flowKinds)[number];
export type StatementKind = (typeof statementKinds)[number];

export function isStatementKind(name: string): name is StatementKind {
  return statementKinds.some((kind) => kind === name);
}

export function isFlowStatement(kind: StatementKind): kind is FlowStatementKind {
  return flowKinds.some((each) => each === kind);
}

export interface LabeledColumn extends ColumnAmounts {
  readonly label: string;
}

export interface Statement {
  readonly rows: readonly ShownRow[];
  /** Every line with a value in each column, including those that are not displayed. */
  readonly columns: readonly ColumnValues[];
  /** The amounts that accounts have on each line directly, before any summing (reporting S-32). */
  readonly own: readonly ColumnValues[];
  readonly validation: Validation;
}

/** A column with its flows, allocated from the journal. */
export interface FlowColumn extends LabeledColumn {
  /** The same accounts at the end of the day before the column. */
  readonly opening: ColumnAmounts;
  readonly network: FlowNetwork;
  readonly cashFlow: CashFlow;
  /** By line of the equity statement, the effect on equity. */
  readonly equityChanges: ReadonlyMap<string, bigint>;
}

export interface FlowStatement extends Statement {
  /** The values of each column as facts carry them; the rows of these statements show effects (reporting S-30). */
  readonly stored: readonly ColumnValues[];
  /** Balances at the end of the day before each column, as facts carry them. */
  readonly openingBalances: readonly ColumnValues[];
  /** By line: the displayed value = the value of the fact × sign; +1 if absent. */
  readonly signs: ReadonlyMap<string, bigint>;
}

/**
 * Lays out and checks a statement; pure, exact and in minor units. `amountText` formats amounts in the findings
 * (reporting 6.1, 6.3, 3.6).
 */
export function makeStatement(
  kind: SumStatementKind,
  layout: Layout,
  columns: readonly LabeledColumn[],
  amountText: (minor: bigint) => string,
): Statement {
  const isBalanceSheet = kind === 'balance_sheet';
  const lines = isBalanceSheet ? layout.balanceSheet : layout.incomeStatement;
  const checked = columns.map((column): CheckedColumn => {
    const placed = isBalanceSheet ? balanceSheetLeaves(layout, column) : incomeStatementLeaves(layout, column);
    const netIncome = netIncomeOf(layout, column);
    return {
      label: column.label,
      values: isBalanceSheet ? resolve(lines, placed.own) : incomeValues(lines, placed.own, netIncome),
      own: placed.own,
      netIncome,
      missing: [...missingConcepts(placed, amountText), ...missingAccounts(kind, column, amountText)],
      omitted: isBalanceSheet ? column.omitted?.cumulative : column.omitted?.movement,
      findings: { failures: [], warnings: isBalanceSheet ? [] : closingWarnings(column) },
    };
  });
  const values = checked.map((column) => column.values);
  const rows = shownRows(lines, values);
  const validate = isBalanceSheet ? validateBalanceSheet : validateIncomeStatement;
  const validation = validate({ lines, rows, columns: checked, amountText });
  return { rows, columns: values, own: checked.map((column) => column.own), validation };
}

/**
 * The values of an income statement. Net income is that of the accounts, also where a concept in use has no line, so that
 * it is the same in every statement; the checks name the amount that the lines above it leave out (reporting S-10, S-36).
 */
function incomeValues(lines: readonly Line[], own: ReadonlyMap<string, bigint>, netIncome: bigint): ColumnValues {
  const values = resolve(lines, own);
  const leftOut = netIncome - (values.get(netIncomeConcept) ?? 0n);
  const bottom =
    lines.find(({ qname }) => qname === profitOrLoss) ?? lines.find(({ qname }) => qname === netIncomeConcept);
  if (leftOut === 0n || bottom === undefined) return values;
  return resolve(lines, new Map([...own, [bottom.qname, (own.get(bottom.qname) ?? 0n) + leftOut]]));
}

/** Lays out and checks a cash flow or an equity statement; pure, exact and in minor units. */
export function makeFlowStatement(
  kind: FlowStatementKind,
  layout: Layout,
  columns: readonly FlowColumn[],
  amountText: (minor: bigint) => string,
): FlowStatement {
  return kind === 'cash_flow_statement'
    ? cashFlowStatement(layout, columns, amountText)
    : equityStatement(layout, columns, amountText);
}

function cashFlowStatement(
  layout: Layout,
  columns: readonly FlowColumn[],
  amountText: (minor: bigint) => string,
): FlowStatement {
  const laidOut = cashFlowRows(
    layout,
    columns.map(({ cashFlow }) => cashFlow),
  );
  const checked = columns.flatMap((column, index): CheckedColumn[] => {
    const own = laidOut.columns[index];
    if (own === undefined) return [];
    const movements = column.unmapped.flatMap(({ movement }) => movement ?? []);
    const findings = {
      failures: cashTie(own, amountText),
      warnings: [...cashFlowWarnings(own, column.network, laidOut.lines, amountText), ...closingWarnings(column)],
    };
    return [{ ...checkedColumn(layout, column, own, unmapped(movements, amountText)), findings }];
  });
  const { lines, rows } = laidOut;
  return flowStatementOf(laidOut, validateCashFlow({ lines, rows, columns: checked, amountText }));
}

function equityStatement(
  layout: Layout,
  columns: readonly FlowColumn[],
  amountText: (minor: bigint) => string,
): FlowStatement {
  const laidOut = equityRows(
    layout,
    columns.map((column) => ({ changes: column.equityChanges, opening: column.opening, end: column })),
  );
  const checked = columns.flatMap((column, index): CheckedColumn[] => {
    const own = laidOut.columns[index];
    if (own === undefined) return [];
    const missing = missingAccounts('balance_sheet', column, amountText);
    const findings = { failures: equityTie(own, amountText), warnings: closingWarnings(column) };
    return [{ ...checkedColumn(layout, column, own, missing), findings }];
  });
  const { lines, rows } = laidOut;
  return flowStatementOf(laidOut, validateEquity({ lines, rows, columns: checked, amountText }));
}

function checkedColumn(
  layout: Layout,
  column: FlowColumn,
  { values }: FlowValues,
  missing: readonly string[],
): CheckedColumn {
  return {
    label: column.label,
    values,
    own: new Map(),
    netIncome: netIncomeOf(layout, column),
    missing,
    omitted: column.omitted?.cumulative,
  };
}

function flowStatementOf({ rows, columns, signs }: FlowRows<object>, validation: Validation): FlowStatement {
  return {
    rows,
    columns: columns.map(({ values }) => values),
    own: columns.map(() => new Map()),
    stored: columns.map(({ stored }) => stored),
    openingBalances: columns.map(({ openingBalances }) => openingBalances),
    signs,
    validation,
  };
}

/** Reporting S-2a: something else was posted on the day of a closing entry, or it closes only a part. */
function closingWarnings({ unfinishedClosings = [] }: ColumnAmounts): readonly string[] {
  return unfinishedClosings.map(
    (day) =>
      `closing_entry: an entry of ${day} closes income to equity, but an account that it closes has a balance at the end of that day; the entry counts as income, expense or distribution`,
  );
}

function missingConcepts(placed: Placed, amountText: (minor: bigint) => string): readonly string[] {
  return placed.unplaced.map(
    ({ qname, amount }) => `${qname} has ${amountText(amount)} and no line of the statement shows it`,
  );
}

/** Accounts missing from this kind of statement because they have no mapping (reporting S-31). */
function missingAccounts(
  kind: SumStatementKind,
  column: ColumnAmounts,
  amountText: (minor: bigint) => string,
): readonly string[] {
  const amounts =
    kind === 'balance_sheet'
      ? column.unmapped.map((account) => account.cumulative)
      : column.unmapped.filter(({ period }) => period === 'duration').map((account) => account.movement ?? 0n);
  return unmapped(amounts, amountText);
}

function unmapped(amounts: readonly bigint[], amountText: (minor: bigint) => string): readonly string[] {
  const missing = amounts.filter((amount) => amount !== 0n);
  if (missing.length === 0) return [];
  const sum = missing.reduce((total, amount) => total + amount, 0n);
  return [`${missing.length} unmapped account(s) with balance ${amountText(sum)}`];
}
