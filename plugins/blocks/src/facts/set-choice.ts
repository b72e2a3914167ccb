import type { StoredFactSet } from '../models/facts.ts';
import { seriesSets } from './columns.ts';

/** The fact sets that one block shows. */
export interface SetChoice {
  /** The fact set that the envelope names. */
  readonly shown: StoredFactSet | undefined;
  /** The sets that supply the facts; empty if the type shows none. */
  readonly sets: readonly StoredFactSet[];
  /** True if each set is a column. */
  readonly isSeries: boolean;
}

/** The properties of a block type that determine its sets. */
export interface ShowingType {
  readonly factsShown: 'selected' | 'all-sets' | 'none';
  readonly hasSeries?: boolean;
  readonly scenarios?: 'ignored' | 'asked' | 'added' | 'own';
}

export interface ShowingOptions {
  readonly scenarioId?: string;
  readonly isSeries?: boolean;
  readonly window?: { readonly history?: number; readonly forecast?: number };
}

/** The sets of a structure that a read should consider (B-20, B-21). */
export function setWish(structureId: string, type: ShowingType, options: ShowingOptions) {
  const isSeries = isSeriesOf(type, options);
  return { structureId, isWhole: isSeries, scenarioIds: scenariosOf(structureId, type, options, isSeries) };
}

/** Chooses the sets to show among those found, newest first. */
export function shownChoice(type: ShowingType, found: readonly StoredFactSet[], options: ShowingOptions): SetChoice {
  if (!isSeriesOf(type, options)) {
    const [shown] = found;
    return { shown, sets: shown === undefined || type.factsShown === 'none' ? [] : [shown], isSeries: false };
  }
  const window = { history: options.window?.history, forecast: options.window?.forecast };
  // Metrics are reported as of a date, whatever window they measure (B-25).
  const sets = seriesSets(found, { isMonthly: type.factsShown !== 'all-sets', window });
  return { shown: sets.at(-1), sets, isSeries: true };
}

/** The pinned set, if it belongs to the structure (B-7). */
export function pinnedChoice(structureId: string, setId: string, sets: readonly StoredFactSet[]): SetChoice {
  const shown = sets.find((set) => set.id === setId && set.structureId === structureId);
  return { shown, sets: shown === undefined ? [] : [shown], isSeries: false };
}

function isSeriesOf(type: ShowingType, options: ShowingOptions): boolean {
  return type.factsShown === 'all-sets' || (type.hasSeries === true && options.isSeries === true);
}

function scenariosOf(
  structureId: string,
  type: ShowingType,
  { scenarioId }: ShowingOptions,
  isSeries: boolean,
): readonly (string | null)[] {
  const how = type.scenarios ?? 'ignored';
  if (how === 'own') return [structureId];
  if (scenarioId === undefined || how === 'ignored') return [null];
  return how === 'added' || isSeries ? [null, scenarioId] : [scenarioId];
}
