/** What the engine needs of a line of a statement, in print order: items before their total. */
export interface Line {
  readonly qname: string;
  readonly label: string;
  readonly depth: number;
  readonly parentQname: string | null;
  readonly isAbstract: boolean;
  readonly isTotal: boolean;
  readonly balance: 'debit' | 'credit' | null;
  readonly trait: string | null;
  readonly calculation: readonly { readonly qname: string; readonly weight: number }[];
}

/** Where the amount of a concept appears, and with which sign. */
export interface Leaf {
  readonly qname: string;
  readonly weight: number;
}

/** The statements of one style, as far as the engine needs them. */
export interface Layout {
  readonly balanceSheet: readonly Line[];
  readonly incomeStatement: readonly Line[];
  /** The line that takes the earnings that no entry has closed yet (reporting S-7). */
  readonly earningsHome: string;
  leafOf(qname: string): Leaf | undefined;
}

/** Debits and credits of one account in a column, with the concept that it is mapped to; minor units. */
export interface MappedAmount {
  readonly concept: {
    readonly qname: string;
    readonly balance: 'debit' | 'credit';
    readonly period: 'instant' | 'duration';
  };
  /** From the first entry to the column's end. */
  readonly cumulative: bigint;
  /** From the column's start to its end; null without any activity in it. */
  readonly movement: bigint | null;
}

/** One column before it is laid out. Amounts are debit-positive. */
export interface ColumnAmounts {
  readonly mapped: readonly MappedAmount[];
}

/** The values of one column by line; a line without any amount is absent. Natural sign: positive on the line's own side. */
export type ColumnValues = ReadonlyMap<string, bigint>;

/** Amounts that no line of the style shows, by concept. */
export interface Placed {
  readonly leaves: Map<string, bigint>;
  readonly unplaced: readonly { readonly qname: string; readonly amount: bigint }[];
}

/** Earnings since the first entry: income less expenses less distributions, whatever the year (reporting S-7, ledger L-160). */
export function earnings(column: ColumnAmounts): bigint {
  return column.mapped
    .filter((amount) => amount.concept.period === 'duration')
    .reduce((sum, amount) => sum - amount.cumulative, 0n);
}

/** The leaves of the balance sheet at the column's end, with the earnings in their home (reporting S-2, S-5, S-7). */
export function balanceSheetLeaves(layout: Layout, column: ColumnAmounts): Placed {
  const placed = place(
    layout,
    column.mapped
      .filter((amount) => amount.concept.period === 'instant')
      .map((amount) => ({ ...amount, amount: amount.cumulative })),
  );
  placed.leaves.set(layout.earningsHome, (placed.leaves.get(layout.earningsHome) ?? 0n) + earnings(column));
  return placed;
}

/** The leaves of the income statement of the column; distributions to owners are no part of it (reporting S-8). */
export function incomeStatementLeaves(layout: Layout, column: ColumnAmounts): Placed {
  const own = new Set(layout.incomeStatement.map((line) => line.qname));
  const flows = column.mapped
    .filter((amount) => amount.concept.period === 'duration' && amount.movement !== null)
    .map((amount) => ({ ...amount, amount: amount.movement ?? 0n }));
  const placed = place(layout, flows);
  for (const qname of placed.leaves.keys()) if (!own.has(qname)) placed.leaves.delete(qname);
  return placed;
}

function place(
  layout: Layout,
  amounts: readonly { readonly concept: MappedAmount['concept']; readonly amount: bigint }[],
): Placed {
  const leaves = new Map<string, bigint>();
  const unplaced: { qname: string; amount: bigint }[] = [];
  for (const { concept, amount } of amounts) {
    const leaf = layout.leafOf(concept.qname);
    const natural = concept.balance === 'credit' ? -amount : amount;
    if (leaf === undefined) {
      if (amount !== 0n) unplaced.push({ qname: concept.qname, amount });
      continue;
    }
    leaves.set(leaf.qname, (leaves.get(leaf.qname) ?? 0n) + natural * BigInt(Math.sign(leaf.weight)));
  }
  return { leaves, unplaced };
}

/** All values of a statement: a line with an amount of its own keeps it, any other is the sum of what it is made of (reporting S-18). */
export function resolve(lines: readonly Line[], leaves: ReadonlyMap<string, bigint>): ColumnValues {
  const byName = new Map(lines.map((line) => [line.qname, line]));
  const values = new Map<string, bigint>();
  const underWay = new Set<string>();
  const amountOf = (qname: string): bigint | undefined => {
    const known = values.get(qname) ?? leaves.get(qname);
    if (known !== undefined) {
      values.set(qname, known);
      return known;
    }
    const line = byName.get(qname);
    if (line === undefined || line.calculation.length === 0 || underWay.has(qname)) return undefined;
    underWay.add(qname);
    const parts = line.calculation.flatMap(({ qname: part, weight }) => {
      const value = amountOf(part);
      return value === undefined ? [] : [value * BigInt(Math.sign(weight))];
    });
    underWay.delete(qname);
    if (parts.length === 0) return undefined;
    const sum = parts.reduce((total, part) => total + part, 0n);
    values.set(qname, sum);
    return sum;
  };
  for (const line of lines) if (!line.isAbstract) amountOf(line.qname);
  return values;
}

/** A line as it is shown, with one value a column; null where the column has none (reporting S-26). */
export interface ShownRow {
  readonly line: Line;
  readonly isSubtotal: boolean;
  readonly values: readonly (bigint | null)[];
}

/** The rows that are shown: no headings, and nothing that is zero in every column but a total whose parts are not (reporting S-27, S-28). */
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
