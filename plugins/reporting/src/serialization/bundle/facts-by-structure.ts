import type { BundleFact, ReportBundle } from './bundle.ts';

/** The facts of each structure, in their order; those whose structure is unknown have the key null (reporting P-25). */
export function factsByStructure({
  facts,
  factSets,
}: Pick<ReportBundle, 'facts' | 'factSets'>): ReadonlyMap<string | null, readonly BundleFact[]> {
  const structures = new Map(factSets.map(({ id, structureId }) => [id, structureId]));
  const all = new Map<string | null, BundleFact[]>();
  for (const fact of facts) {
    for (const id of new Set(fact.factSetIds.map((setId) => structures.get(setId)))) {
      if (id === undefined) continue;
      const own = all.get(id) ?? [];
      all.set(id, own);
      own.push(fact);
    }
  }
  return all;
}
