import { compareText, type ReportBundle } from '../serialization/bundle/index.ts';

/** The ids of a copy, and the parts of the sender's bundle that it may contain. */
export interface BundleCopy {
  readonly reportId: string;
  /** The former and the new id of the entity. */
  readonly entity: { readonly from: string; readonly to: string; readonly name: string };
  /** The id of the new set for each set of the sender. */
  readonly setIds: ReadonlyMap<string, string>;
  /** The id of the new fact for each fact of the sender. */
  readonly factIds: ReadonlyMap<string, string>;
  /** The structures that the recipient knows. */
  readonly structureIds: ReadonlySet<string>;
  /** True for the concepts that the recipient has (investor H-19). */
  readonly isShared: (qname: string) => boolean;
  readonly base: string;
}

/**
 * The bundle of a copy, with its own ids, and without rules, results, lineage and anything that refers to records of
 * the sender that are not shared (investor H-10).
 */
export function copiedBundle(bundle: ReportBundle, copy: BundleCopy): ReportBundle {
  const { isShared } = copy;
  const entityIdOf = (id: string): string => (id === copy.entity.from ? copy.entity.to : id);
  const setIdOf = (id: string): readonly string[] => {
    const known = copy.setIds.get(id);
    return known === undefined ? [] : [known];
  };
  const newSets = bundle.factSets.flatMap((set) =>
    setIdOf(set.id).map((id) => ({
      id,
      structureId: set.structureId !== null && copy.structureIds.has(set.structureId) ? set.structureId : null,
      origin: 'asserted',
      startedAt: set.startedAt,
      agent: null,
      used: [],
    })),
  );
  return {
    ...bundle,
    base: copy.base,
    report: { ...bundle.report, id: copy.reportId, supersedes: null },
    entity: {
      ...bundle.entity,
      id: entityIdOf(bundle.entity.id),
      name: copy.entity.name,
      identifier: entityIdOf(bundle.entity.identifier),
    },
    concepts: bundle.concepts.filter(({ qname }) => isShared(qname)),
    structures: bundle.structures
      .filter(({ id }) => copy.structureIds.has(id))
      .map((structure) => ({
        ...structure,
        arcs: structure.arcs.filter(({ from, to }) => isShared(from) && isShared(to)),
        failures: [],
        warnings: [],
      })),
    facts: bundle.facts
      .filter(({ concept }) => isShared(concept))
      .map((fact, index) => ({
        ...fact,
        // The sender's books may have lost a fact of the file since; it must not keep the sender's id.
        id: copy.factIds.get(fact.id) ?? `${copy.reportId}_${index}`,
        entityId: entityIdOf(fact.entityId),
        factSetIds: [...new Set(fact.factSetIds.flatMap(setIdOf))],
      }))
      .sort((a, b) => compareText(a.id, b.id)),
    factSets: [...new Map(newSets.map((set) => [set.id, set])).values()],
    rules: [],
    results: [],
  };
}
