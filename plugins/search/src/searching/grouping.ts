import type { RankedEntry } from '@pacioli/core/ports';

/** A hit with the number of other filings whose equal sections it stands for; null if hits are not grouped. */
export interface GroupedEntry extends RankedEntry {
  readonly alsoInFilings: number | null;
}

/**
 * Folds the same part of the same section in several filings of an entity into the best of them (ai-surface SR-15).
 * Entries without an entity stay single.
 */
export function groupFilings(ranked: readonly RankedEntry[]): readonly GroupedEntry[] {
  const groups = new Map<string, { readonly best: RankedEntry; readonly filings: Set<string> }>();
  for (const each of ranked) {
    const { id, entityCik, sectionId, elementQname, part, accessionNumber } = each.entry;
    const place = sectionId ?? elementQname;
    const isFiling = entityCik !== null && place !== null;
    const key = isFiling ? JSON.stringify([entityCik, place, part]) : JSON.stringify([id]);
    const group = groups.get(key) ?? { best: each, filings: new Set<string>() };
    if (accessionNumber !== null) group.filings.add(accessionNumber);
    groups.set(key, group);
  }
  return [...groups.values()].map(({ best, filings }) => {
    const own = best.entry.accessionNumber;
    const others = own !== null && filings.has(own) ? filings.size - 1 : filings.size;
    return { ...best, alsoInFilings: others };
  });
}

export function ungrouped(ranked: readonly RankedEntry[]): readonly GroupedEntry[] {
  return ranked.map((each) => ({ ...each, alsoInFilings: null }));
}
