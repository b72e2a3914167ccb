import type { Cell, SectionColumn } from './section-cells.ts';

/** The size of a response that columns and, again, member breakdowns may take (V-16). */
const budgetChars = 16_000;
const charsPerCell = 36;
const minColumns = 8;
const maxMembers = 200;

/** The periods and members of a section that a request asks for. */
export interface KeptParts {
  /** The periods that the request names; null for as many as the budget allows. */
  readonly periods: readonly string[] | null;
  /** Keeps only members whose key contains this text, in any case. */
  readonly member: string | null;
  /** Replaces the budget for members. */
  readonly maxMembers: number | null;
  /** True for a report over a year: balances and years come before shorter windows. */
  readonly isAnnual: boolean;
}

/** The columns that are kept; no row that has numbers is left without one (V-16). */
export function keptColumns(
  columns: readonly SectionColumn[],
  cells: readonly Cell[],
  options: { readonly rowCount: number; readonly kept: KeptParts },
): ReadonlySet<string> {
  const { rowCount, kept } = options;
  if (kept.periods !== null) {
    const requested = new Set(kept.periods);
    return new Set(columns.map(({ key }) => key).filter((key) => requested.has(key)));
  }
  const size = Math.max(minColumns, Math.floor(budgetChars / charsPerCell / Math.max(1, rowCount)));
  const isFirst = ({ type, duration }: SectionColumn): boolean => type === 'instant' || duration === 'annual';
  const ordered = kept.isAnnual ? [...columns.filter(isFirst), ...columns.filter((each) => !isFirst(each))] : columns;
  const chosen = new Set(ordered.slice(0, size).map(({ key }) => key));
  const newest = new Map(columns.map(({ key }, place) => [key, place]));
  for (const [, periods] of periodsOfElements(cells)) {
    if (periods.some((period) => chosen.has(period))) continue;
    const [first] = [...periods].sort((a, b) => (newest.get(a) ?? 0) - (newest.get(b) ?? 0));
    if (first !== undefined) chosen.add(first);
  }
  return chosen;
}

function periodsOfElements(cells: readonly Cell[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const { element, period } of cells) found.set(element, [...(found.get(element) ?? []), period]);
  return found;
}

/** The member keys that are kept, most reported first; no row is left without its most reported one (V-16). */
export function keptMembers(
  cells: readonly Cell[],
  columns: ReadonlySet<string>,
  kept: KeptParts,
): ReadonlySet<string> {
  const filter = kept.member?.toLowerCase() ?? '';
  const candidates = cells.filter(
    ({ memberKey, period }) => memberKey !== '' && columns.has(period) && memberKey.toLowerCase().includes(filter),
  );
  const counts = new Map<string, number>();
  for (const { memberKey } of candidates) counts.set(memberKey, (counts.get(memberKey) ?? 0) + 1);
  const ordered = [...counts].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1));
  const chosen = new Set<string>();
  let cellsLeft = kept.maxMembers === null ? Math.floor(budgetChars / charsPerCell) : Number.POSITIVE_INFINITY;
  for (const [key, count] of ordered) {
    if (chosen.size >= Math.min(kept.maxMembers ?? maxMembers, maxMembers) || count > cellsLeft) break;
    chosen.add(key);
    cellsLeft -= count;
  }
  return withBlankRows(cells, candidates, { ordered, chosen });
}

/** Adds for each row without any other number the most reported member that it has. */
function withBlankRows(
  cells: readonly Cell[],
  candidates: readonly Cell[],
  {
    ordered,
    chosen,
  }: { readonly ordered: readonly (readonly [string, number])[]; readonly chosen: ReadonlySet<string> },
): ReadonlySet<string> {
  const filled = new Set(
    cells.filter(({ memberKey }) => memberKey === '' || chosen.has(memberKey)).map(({ element }) => element),
  );
  const all = new Set(chosen);
  for (const [key] of ordered) {
    const blank = candidates.filter(({ memberKey, element }) => memberKey === key && !filled.has(element));
    if (blank.length === 0) continue;
    all.add(key);
    for (const { element } of blank) filled.add(element);
  }
  return all;
}
