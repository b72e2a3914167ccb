import type { FoundEntry } from '@pacioli/core/ports';

/** An entry that a search has read, with its score. */
export interface ScoredEntry {
  readonly entry: FoundEntry;
  readonly score: number;
}

/** A hit with the number of other filings whose equal sections it stands for; null if hits are not grouped. */
export interface GroupedEntry extends ScoredEntry {
  readonly alsoInFilings: number | null;
}

/**
 * Folds the same part of the same section in several filings of an entity into the best of them (ai-surface SR-15).
 * Entries without an entity stay single.
 */
export function groupFilings(ranked: readonly ScoredEntry[]): readonly GroupedEntry[] {
  const groups = new Map<string, { readonly best: ScoredEntry; readonly filings: Set<string> }>();
  for (const each of ranked) {
    const { id, entityCik, sectionId, elementQname, part, accessionNumber } = each.entry;
    const place = sectionId ?? elementQname;
    const isFiling = entityCik !== null && place !== null;
    // The text blocks of one section are different texts.
    const element = elementQname === place ? null : elementQname;
    const key = JSON.stringify(isFiling ? [entityCik, place, element, part] : [id]);
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

export function ungrouped(ranked: readonly ScoredEntry[]): readonly GroupedEntry[] {
  return ranked.map((each) => ({ ...each, alsoInFilings: null }));
}
