import type { CashFlowSources } from '@pacioli/taxonomy';

/** A line of a statement; the lines of a statement are in print order, items before their total. */
export interface Line {
  readonly qname: string;
  readonly label: string;
  readonly depth: number;
  readonly parentQname: string | null;
  readonly isAbstract: boolean;
  readonly isTotal: boolean;
  readonly balance: 'debit' | 'credit' | null;
  readonly trait: string | null;
  readonly liquidity: string | null;
  readonly calculation: readonly { readonly qname: string; readonly weight: number }[];
  /** The changes that explain an opening and a closing balance. */
  readonly rollForward: readonly { readonly qname: string; readonly weight: number }[];
}

/** Where a concept’s amount appears, and with which sign. */
export interface Leaf {
  readonly qname: string;
  readonly weight: number;
}

/** The lines of the statements of one style, and where the amount of a concept appears in them. */
export interface Layout {
  readonly balanceSheet: readonly Line[];
  readonly incomeStatement: readonly Line[];
  readonly cashFlowStatement: readonly Line[];
  readonly equityStatement: readonly Line[];
  readonly comprehensiveIncome: readonly Line[];
  readonly cashFlowSources: CashFlowSources;
  /** True for a style with the direct cash flow (reporting S-17). */
  readonly isDirectCashFlow: boolean;
  /** The line that receives earnings not yet closed by an entry (reporting S-7). */
  readonly earningsHome: string;
  leafOf(qname: string): Leaf | undefined;
}

export interface MappedConcept {
  /** Absent in calculations that no fact follows from. */
  readonly elementId?: string;
  readonly qname: string;
  readonly balance: 'debit' | 'credit';
  readonly period: 'instant' | 'duration';
  readonly trait: string | null;
}

/** Debits and credits of one account in a column, in minor units, with the concept that the account is mapped to. */
export interface MappedAmount extends Amounts {
  readonly concept: MappedConcept;
}

/** An account with line items but without a mapping (reporting S-31). */
export interface UnmappedAmount extends Amounts {
  readonly period: 'instant' | 'duration';
}

/** Debit-positive minor units. */
interface Amounts {
  /** From the first entry to the column's end. */
  readonly cumulative: bigint;
  /** From the column's start to its end without clearing entries (reporting S-2a); null without any activity in it. */
  readonly movement: bigint | null;
}

/** A check that failed before the layout of a column. */
export interface FailedCheck {
  readonly check: string;
  readonly finding: string;
}

/** The amounts of one column before its layout. */
export interface ColumnAmounts {
  readonly mapped: readonly MappedAmount[];
  readonly unmapped: readonly UnmappedAmount[];
  /** Findings about posted lines in other currencies, which the amounts leave out (ledger L-5a). */
  readonly omitted?: { readonly cumulative: FailedCheck | undefined; readonly movement: FailedCheck | undefined };
  /**
   * The days in the column of entries that close income to equity and leave a balance on an account that they close, so
   * that they count as flows (reporting S-2a).
   */
  readonly unfinishedClosings?: readonly string[];
}

/** The values of one column by line, without lines that have no amount; positive on the line’s natural side. */
export type ColumnValues = ReadonlyMap<string, bigint>;

/** The result of placing the amounts of a column on lines. */
export interface Placed {
  /** By line, on the line’s natural side; a total may also have an amount of its own (reporting S-32). */
  readonly own: Map<string, bigint>;
  /** Amounts that no line of the statement shows, by concept; debit-positive. */
  readonly unplaced: readonly { readonly qname: string; readonly amount: bigint }[];
}

/** Traits of concepts that count toward income; other flows are owner transactions or excluded by rule. */
const traitsOfIncome: ReadonlySet<string | null> = new Set(['revenue', 'gain', 'expense', 'loss', 'expenseReversal']);

/**
 * Earnings since the first entry: income minus expenses minus distributions, across all years (reporting S-7, ledger
 * L-160).
 */
export function earnings(column: ColumnAmounts): bigint {
  return column.mapped
    .filter((amount) => amount.concept.period === 'duration')
    .reduce((sum, amount) => sum - amount.cumulative, 0n);
}

/** Net income of the column computed from accounts, including those without a line (reporting S-10). */
export function netIncomeOf(layout: Layout, column: ColumnAmounts): bigint {
  return incomeOf(layout, column).reduce((sum, amount) => sum - (amount.movement ?? 0n), 0n);
}

/** The leaves of the balance sheet at the column’s end, with earnings on their line (reporting S-2, S-5, S-7). */
export function balanceSheetLeaves(layout: Layout, column: ColumnAmounts): Placed {
  const instants = column.mapped
    .filter((amount) => amount.concept.period === 'instant')
    .map(({ concept, cumulative }) => ({ concept, amount: cumulative }));
  const placed = place(layout, layout.balanceSheet, instants);
  placed.own.set(layout.earningsHome, (placed.own.get(layout.earningsHome) ?? 0n) + earnings(column));
  return placed;
}

/** The leaves of the income statement of the column, without owner transactions (reporting S-8). */
export function incomeStatementLeaves(layout: Layout, column: ColumnAmounts): Placed {
  const flows = incomeOf(layout, column).flatMap(({ concept, movement }) =>
    movement === null ? [] : [{ concept, amount: movement }],
  );
  return place(layout, layout.incomeStatement, flows);
}

function incomeOf(layout: Layout, column: ColumnAmounts): readonly MappedAmount[] {
  const isIncome = incomeTest(layout);
  return column.mapped.filter(({ concept }) => isIncome(concept));
}

/** Tells concepts that count toward net income. */
export function incomeTest(layout: Layout): (concept: MappedConcept) => boolean {
  const lines = new Set(layout.incomeStatement.map((line) => line.qname));
  return ({ qname, period, trait }) =>
    period === 'duration' && (traitsOfIncome.has(trait) || lines.has(layout.leafOf(qname)?.qname ?? qname));
}

function place(
  layout: Layout,
  lines: readonly Line[],
  amounts: readonly { readonly concept: MappedAmount['concept']; readonly amount: bigint }[],
): Placed {
  const shown = new Map(lines.filter((line) => !line.isAbstract).map((line) => [line.qname, line]));
  const own = new Map<string, bigint>();
  const unplaced: { qname: string; amount: bigint }[] = [];
  for (const { concept, amount } of amounts) {
    const leaf = layout.leafOf(concept.qname) ?? { qname: concept.qname, weight: 1 };
    const line = shown.get(leaf.qname);
    if (line === undefined) {
      if (amount !== 0n) unplaced.push({ qname: concept.qname, amount });
      continue;
    }
    const natural = concept.balance === 'credit' ? -amount : amount;
    own.set(leaf.qname, (own.get(leaf.qname) ?? 0n) + natural * BigInt(Math.sign(leaf.weight)));
  }
  return { own, unplaced };
}

/** All values of a statement: each line is the sum of its parts and of its own amounts (reporting S-18, S-32). */
export function resolve(lines: readonly Line[], own: ReadonlyMap<string, bigint>): ColumnValues {
  const byName = new Map(lines.map((line) => [line.qname, line]));
  const values = new Map<string, bigint>();
  const underWay = new Set<string>();
  const amountOf = (qname: string): bigint | undefined => {
    const known = values.get(qname);
    if (known !== undefined || underWay.has(qname)) return known;
    const direct = own.get(qname);
    underWay.add(qname);
    const parts = (byName.get(qname)?.calculation ?? []).flatMap(({ qname: part, weight }) => {
      const value = amountOf(part);
      return value === undefined ? [] : [value * BigInt(Math.sign(weight))];
    });
    underWay.delete(qname);
    if (parts.length === 0 && direct === undefined) return undefined;
    const sum = parts.reduce((total, part) => total + part, direct ?? 0n);
    values.set(qname, sum);
    return sum;
  };
  for (const line of lines) if (!line.isAbstract) amountOf(line.qname);
  return values;
}

/** A line as displayed, with one value per column; null where the column has none (reporting S-26). */
export interface ShownRow {
  readonly line: Line;
  readonly isSubtotal: boolean;
  readonly values: readonly (bigint | null)[];
  /** True for the balance at the end of the day before the column, the first row of a roll-forward. */
  readonly isOpening?: boolean;
  /** True for a row of the schedule that reconciles the direct operating cash to net income (reporting S-17). */
  readonly isReconciliation?: boolean;
}

/**
 * The displayed rows: no headings, and no row that is zero in every column unless it is a total with nonzero parts
 * (reporting S-27, S-28).
 */
export function shownRows(lines: readonly Line[], columns: readonly ColumnValues[]): readonly ShownRow[] {
  const hasAmount = (qname: string): boolean => columns.some((column) => (column.get(qname) ?? 0n) !== 0n);
  return lines
    .filter((line) => !line.isAbstract)
    .filter(
      (line) => hasAmount(line.qname) || (line.depth <= 1 && line.calculation.some((part) => hasAmount(part.qname))),
    )
    .map((line) => ({
      line,
      isSubtotal: line.isTotal || line.calculation.length > 0,
      values: columns.map((column) => column.get(line.qname) ?? null),
    }));
}
