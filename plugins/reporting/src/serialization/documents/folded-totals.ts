import type { ShownRow, ShownStatement, ShownSum } from './shown-statement.ts';
import { difference } from './stored-results.ts';

/** The totals that readers look for by their names. Of equal ones the first of this list is shown (reporting G-7a). */
const mainTotals = [
  'Assets',
  'LiabilitiesAndStockholdersEquity',
  'NetIncomeLoss',
  'ProfitLoss',
  'ComprehensiveIncomeNetOfTax',
  'CashCashEquivalentsRestrictedCashAndRestrictedCashEquivalentsPeriodIncreaseDecreaseIncludingExchangeRateEffect',
];

type Part = ShownSum['parts'][number];

/** The rows that are left out, and the rows that show their amounts. */
interface Folding {
  /** For each row that is left out, the row that shows its amounts, and the factor from the shown amount to its own. */
  readonly shownBy: Map<number, Part>;
  /** The depths of lines that take the place of their totals. */
  readonly depths: Map<number, number>;
  readonly sums: Map<number, ShownSum>;
}

/**
 * The statement as annual reports print it: a total of one line is left out, and equal totals that follow each other are
 * one row (reporting G-7a).
 */
export function foldTotals(statement: ShownStatement): ShownStatement {
  const { rows } = statement;
  const folding: Folding = {
    shownBy: new Map(),
    depths: new Map(),
    sums: new Map(statement.sums.map((sum) => [sum.total, sum])),
  };
  let last: number | undefined;
  for (const [index, row] of rows.entries()) {
    if (row.values.length === 0) continue;
    if (last === undefined || row.kind !== 'total' || !fold(rows, folding, { last, index })) last = index;
  }
  return withoutFolded(statement, folding);
}

/** Folds a total and the row of amounts before it into one. Returns true if the earlier row remains. */
function fold(
  rows: readonly ShownRow[],
  folding: Folding,
  { last, index }: { readonly last: number; readonly index: number },
): boolean {
  const { shownBy, depths, sums } = folding;
  const [before, total] = [rows[last], rows[index]];
  if (before === undefined || total === undefined) return false;
  const factor = factorBetween(before.values, total.values);
  if (factor === undefined) return false;
  const isRepeated = factor === 1 && (before.kind === 'total' || depths.has(last));
  if (!isRepeated && !hasOnlyPart(sums.get(index), last, shownBy)) return false;
  const isMain = rankOf(total) < rankOf(before);
  if (isMain && before.kind !== 'total') return false;
  if (isMain) {
    shownBy.set(last, { row: index, factor });
    const sum = sums.get(last);
    sums.delete(last);
    if (sum === undefined) sums.delete(index);
    else sums.set(index, { ...sum, total: index });
    return false;
  }
  shownBy.set(index, { row: last, factor });
  sums.delete(index);
  if (before.kind !== 'total') depths.set(last, Math.min(depths.get(last) ?? before.depth, total.depth));
  return true;
}

function hasOnlyPart(sum: ShownSum | undefined, row: number, shownBy: Folding['shownBy']): boolean {
  const [part, ...others] = sum?.parts ?? [];
  return part !== undefined && others.length === 0 && shownPart(part, shownBy).row === row;
}

function shownPart(part: Part, shownBy: Folding['shownBy']): Part {
  const shown = shownBy.get(part.row);
  return shown === undefined ? part : shownPart({ row: shown.row, factor: part.factor * shown.factor }, shownBy);
}

/** 1 for equal amounts in all columns, -1 for opposite ones, else undefined. */
function factorBetween(a: ShownRow['values'], b: ShownRow['values']): 1 | -1 | undefined {
  const isOpposite = (value: string | null, other: string | null, factor: 1 | -1): boolean => {
    if (value === null || other === null) return value === other;
    return isZero(difference(other, factor === 1 ? value : difference('0', value)));
  };
  return ([1, -1] as const).find((factor) => a.every((value, column) => isOpposite(value, b[column] ?? null, factor)));
}

function isZero(decimal: string): boolean {
  return /^-?0*\.?0*$/.test(decimal);
}

/** The place of a main total in the order of preference; behind all of them for other rows. */
function rankOf({ concept }: ShownRow): number {
  const rank = mainTotals.indexOf(concept.slice(concept.indexOf(':') + 1));
  return rank < 0 ? mainTotals.length : rank;
}

function withoutFolded(statement: ShownStatement, { shownBy, depths, sums }: Folding): ShownStatement {
  const { rows } = statement;
  const remaining = [...rows.keys()].filter(
    (index) => !shownBy.has(index) && !isNeedlessHeading(rows, index, { shownBy, depths }),
  );
  const places = new Map(remaining.map((index, place) => [index, place]));
  const placeOf = (index: number): number => places.get(index) ?? 0;
  return {
    ...statement,
    rows: remaining.flatMap((index): readonly ShownRow[] => {
      const row = rows[index];
      return row === undefined ? [] : [{ ...row, depth: depths.get(index) ?? row.depth }];
    }),
    sums: [...sums.values()].map(({ total, parts, direct }) => ({
      direct,
      total: placeOf(total),
      parts: parts.map((part) => shownPart(part, shownBy)).map(({ row, factor }) => ({ row: placeOf(row), factor })),
    })),
  };
}

/** True for a heading above one line that stands for the total of the heading. */
function isNeedlessHeading(
  rows: readonly ShownRow[],
  index: number,
  { shownBy, depths }: Pick<Folding, 'shownBy' | 'depths'>,
): boolean {
  const heading = rows[index];
  if (heading?.kind !== 'heading') return false;
  const length = rows.slice(index + 1).findIndex(({ depth }) => depth <= heading.depth);
  const end = length < 0 ? rows.length : index + 1 + length;
  const inside = [...rows.keys()].slice(index + 1, end).filter((each) => !shownBy.has(each));
  return inside.length === 1 && inside.every((each) => depths.has(each));
}
