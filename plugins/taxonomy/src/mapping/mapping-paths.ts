import type { LibraryCatalog, LibraryElementRow } from '../library/index.ts';
import { groupBy } from '../values/index.ts';

/**
 * Scores a concept by the one that the parent account is mapped to (taxonomy AM-14): 1 for the same concept or one
 * under the same total, 0.5 in the same section, 0 otherwise. A section has one trait and one liquidity.
 */
export function createPaths(catalog: LibraryCatalog): (parentId: string, concept: LibraryElementRow) => number {
  const totals = groupBy(catalog.frameworks.gaap.calculation, ({ item }) => item);
  const totalsOf = (qname: string) => new Set((totals.get(qname) ?? []).map(({ total }) => total));
  return (parentId, concept) => {
    const parent = catalog.elementById(parentId);
    if (parent === undefined) return 0;
    if (parent.qname === concept.qname) return 1;
    const ofParent = totalsOf(parent.qname);
    if ([...totalsOf(concept.qname)].some((total) => ofParent.has(total))) return 1;
    return parent.trait === concept.trait && parent.liquidity === concept.liquidity ? 0.5 : 0;
  };
}
