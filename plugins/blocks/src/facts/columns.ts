import type { ViewColumn } from '../models/block-view.ts';
import type { StoredFact, StoredFactSet } from '../models/facts.ts';
import { daysIn } from '../values/index.ts';

/** The maximum number of columns of each kind; undefined shows all (B-23). */
export interface SeriesWindow {
  readonly history: number | undefined;
  readonly forecast: number | undefined;
}

/**
 * The sets of a series in ascending order. Each period end has one: actuals before plans, the shortest window first,
 * canonical before snapshot, then the newest (B-21). The input must be sorted newest and canonical first.
 */
export function seriesSets(
  sets: readonly StoredFactSet[],
  options: { readonly isMonthly: boolean; readonly window: SeriesWindow },
): readonly StoredFactSet[] {
  const chosen = new Map<string, StoredFactSet>();
  for (const set of sets) {
    if (options.isMonthly && !isMonth(set)) continue;
    const known = chosen.get(set.periodEnd);
    if (known === undefined || rankOf(set) < rankOf(known)) chosen.set(set.periodEnd, set);
  }
  const ascending = [...chosen.values()].sort((a, b) => (a.periodEnd < b.periodEnd ? -1 : 1));
  const actual = ascending.filter(({ scenarioId }) => scenarioId === null);
  const planned = ascending.filter(({ scenarioId }) => scenarioId !== null);
  const { history, forecast } = options.window;
  const shown = new Set([
    ...(history === undefined ? actual : actual.slice(Math.max(0, actual.length - history))),
    ...(forecast === undefined ? planned : planned.slice(0, forecast)),
  ]);
  return ascending.filter((set) => shown.has(set));
}

/** One column for each set of a series, in their order. */
export function seriesColumns(sets: readonly StoredFactSet[]): readonly ViewColumn[] {
  return sets.map((set) => ({
    start: set.periodStart ?? set.periodEnd,
    end: set.periodEnd,
    factSetId: set.id,
    isForecast: set.scenarioId !== null,
  }));
}

/** Reporting B-22: comparative facts in a set belong to other columns. */
export function isAdmitted(fact: StoredFact, set: StoredFactSet): boolean {
  if (fact.periodEnd !== set.periodEnd) return false;
  return fact.periodStart === null || set.periodStart === null || fact.periodStart >= set.periodStart;
}

/** The periods of the set's facts, or the set's own period; ascending by end, then start (B-24). */
export function columnsOfSet(set: StoredFactSet, facts: readonly StoredFact[]): readonly ViewColumn[] {
  const isForecast = set.scenarioId !== null;
  const found = new Map<string, ViewColumn>();
  for (const { periodStart, periodEnd: end, factSetId } of facts) {
    // A balance without a start belongs in the column of the period that ends on its date.
    if (periodStart === null || factSetId !== set.id) continue;
    found.set(`${end} ${periodStart}`, { start: periodStart, end, factSetId, isForecast });
  }
  const ends = new Set([...found.values()].map(({ end }) => end));
  for (const { periodStart, periodEnd: end, factSetId } of facts) {
    if (periodStart !== null || ends.has(end)) continue;
    found.set(`${end} `, { start: end === set.periodEnd ? (set.periodStart ?? end) : end, end, factSetId, isForecast });
  }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, column]) => column);
}

/** The fact for a column: the movement over exactly its period, or the balance at its end. */
export function factIn(facts: readonly StoredFact[], column: ViewColumn): StoredFact | undefined {
  const here = facts.filter((fact) => fact.factSetId === column.factSetId && fact.periodEnd === column.end);
  return (
    here.find(({ periodStart }) => periodStart === column.start) ??
    here.find(({ periodType }) => periodType === 'instant')
  );
}

function isMonth({ periodStart, periodEnd }: StoredFactSet): boolean {
  return periodStart !== null && periodStart.slice(0, 7) === periodEnd.slice(0, 7);
}

function rankOf({ scenarioId, reportId, periodStart, periodEnd }: StoredFactSet): number {
  const days = periodStart === null ? 0 : daysIn(periodStart, periodEnd);
  return (scenarioId === null ? 0 : 1_000_000) + days * 2 + (reportId === null ? 0 : 1);
}
