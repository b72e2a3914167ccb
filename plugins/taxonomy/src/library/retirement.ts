import type { LibraryElementRow, LibraryRows, RetiredConceptRow } from './library.ts';

/** The fields in which a replacement must equal the stored concept, so that no amount changes its side or statement. */
export type ReplaceableConcept = Pick<
  LibraryElementRow,
  'id' | 'trait' | 'liquidity' | 'balanceType' | 'periodType' | 'itemType' | 'isAbstract' | 'isMonetary'
>;

const decisive = ['trait', 'liquidity', 'balanceType', 'periodType', 'itemType', 'isAbstract', 'isMonetary'] as const;

/**
 * The retirements of a release that may carry mappings along: the replacement holds the same kind of amount. A retired
 * concept that is stored as anything else keeps the release from starting while it is mapped (taxonomy LB-11).
 */
export function carriedRetirements(
  stored: readonly ReplaceableConcept[],
  next: LibraryRows,
): ReadonlyMap<string, RetiredConceptRow> {
  const elements = new Map(next.elements.map((element) => [element.id, element]));
  const before = new Map(stored.map((concept) => [concept.id, concept]));
  return new Map(
    next.retired.flatMap((row) => {
      const [old, replacement] = [before.get(row.id), elements.get(row.replacedById)];
      if (old === undefined || replacement === undefined) return [];
      return decisive.every((field) => old[field] === replacement[field]) ? [[row.id, row] as const] : [];
    }),
  );
}
