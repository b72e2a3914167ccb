import type { LibraryCatalogue, LibraryElementRow } from '../library/index.ts';
import { groupBy } from '../values/index.ts';

/**
 * How well a concept fits beside the one that the parent account is mapped to (taxonomy AM-14): 1 for the same or one
 * under the same total, 0.5 in the same section, 0 elsewhere. A section is what has one trait and one liquidity.
 */
export function createPaths(catalogue: LibraryCatalogue): (parentId: string, concept: LibraryElementRow) => number {
  const totals = groupBy(catalogue.frameworks.gaap.calculation, ({ item }) => item);
  const totalsOf = (qname: string) => new Set((totals.get(qname) ?? []).map(({ total }) => total));
  return (parentId, concept) => {
    const parent = catalogue.elementById(parentId);
    if (parent === undefined) return 0;
    if (parent.qname === concept.qname) return 1;
    const ofParent = totalsOf(parent.qname);
    if ([...totalsOf(concept.qname)].some((total) => ofParent.has(total))) return 1;
    return parent.trait === concept.trait && parent.liquidity === concept.liquidity ? 0.5 : 0;
  };
}
