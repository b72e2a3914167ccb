import type { UpdateBlockRequest } from '../models/taxonomy-block-requests.ts';
import { type BlockElement, type BlockIssue, type BlockStructure, type ChartBlock, issue } from './block.ts';
import { requestedArc, requestedElement, requestedStructure } from './block-requests.ts';
import type { StoredArc, StoredBlock, StoredElement, StoredStructure } from './stored-block.ts';

type ElementPatch = NonNullable<UpdateBlockRequest['elements_to_update']>[number];

/** What an update would do to a chart, and what the chart would be afterwards (taxonomy T-31, T-33). */
export interface ProjectedUpdate {
  readonly after: ChartBlock;
  readonly issues: readonly BlockIssue[];
  readonly removedElements: readonly StoredElement[];
  readonly removedStructures: readonly StoredStructure[];
  /** Named arcs and those that fall with their structure or element. */
  readonly removedArcs: readonly StoredArc[];
  /** Accounts whose side, period type or trait changes. */
  readonly reclassified: readonly StoredElement[];
}

/** Applies a request to a chart in memory; unknown names become issues and change nothing. */
export function projectUpdate(stored: StoredBlock, request: UpdateBlockRequest): ProjectedUpdate {
  const removedNames = new Set(request.elements_to_remove ?? []);
  const removedElements = stored.elements.filter(({ qname }) => removedNames.has(qname));
  const patches = new Map((request.elements_to_update ?? []).map((patch) => [patch.qname, patch]));
  const kept = stored.elements.filter(({ qname }) => !removedNames.has(qname));
  const patched = kept.map((element) => patchedElement(element, patches.get(element.qname)));

  const removedStructureIds = new Set(request.structures_to_remove ?? []);
  const structurePatches = new Map((request.structures_to_update ?? []).map((patch) => [patch.structure_id, patch]));
  const removedArcIds = new Set(request.associations_to_remove ?? []);
  const removedArcs = stored.arcs.filter(
    (arc) =>
      removedArcIds.has(arc.id) ||
      removedStructureIds.has(arc.structureRef) ||
      removedNames.has(arc.from) ||
      removedNames.has(arc.to),
  );
  const gone = new Set(removedArcs.map(({ id }) => id));
  return {
    after: {
      elements: [...patched, ...(request.elements_to_add ?? []).map(requestedElement)],
      structures: [
        ...stored.structures
          .filter(({ id }) => !removedStructureIds.has(id))
          .map((structure) => patchedStructure(structure, structurePatches.get(structure.id))),
        ...(request.structures_to_add ?? []).map(requestedStructure),
      ],
      arcs: [
        ...stored.arcs.filter(({ id }) => !gone.has(id)),
        ...(request.associations_to_add ?? []).map(requestedArc),
      ],
    },
    issues: [...unknownNames(stored, request), ...hierarchyIssues(kept, patched, removedElements)],
    removedElements,
    removedStructures: stored.structures.filter(({ id }) => removedStructureIds.has(id)),
    removedArcs,
    reclassified: kept.filter((element, index) => isReclassified(element, patched[index])),
  };
}

function patchedElement(element: StoredElement, patch: ElementPatch | undefined): BlockElement {
  if (patch === undefined) return element;
  const trait = patch.trait ?? element.trait;
  return {
    ...element,
    name: patch.name ?? element.name,
    description: patch.description ?? element.description,
    trait,
    balanceType: patch.balance_type ?? element.balanceType,
    // Taxonomy T-7: a new trait brings its own period type unless the request names one.
    periodType: patch.period_type ?? (trait === element.trait ? element.periodType : null),
    isMonetary: patch.is_monetary ?? element.isMonetary,
    code: patch.code ?? element.code,
    parentQname: patch.parent_ref === '' ? null : (patch.parent_ref ?? element.parentQname),
    metadata: patch.metadata ?? element.metadata,
    isActive: patch.is_active ?? element.isActive,
  };
}

function patchedStructure(
  structure: StoredStructure,
  patch: NonNullable<UpdateBlockRequest['structures_to_update']>[number] | undefined,
): BlockStructure {
  if (patch === undefined) return structure;
  return {
    ...structure,
    name: patch.name ?? structure.name,
    description: patch.description ?? structure.description,
    roleUri: patch.role_uri ?? structure.roleUri,
    conceptArrangement: patch.concept_arrangement ?? structure.conceptArrangement,
    metadata: patch.metadata ?? structure.metadata,
  };
}

function isReclassified(before: StoredElement, after: BlockElement | undefined): boolean {
  if (after === undefined) return false;
  const periodType = after.periodType ?? before.periodType;
  return before.trait !== after.trait || before.balanceType !== after.balanceType || before.periodType !== periodType;
}

function unknownNames(stored: StoredBlock, request: UpdateBlockRequest): readonly BlockIssue[] {
  const qnames = new Set(stored.elements.map(({ qname }) => qname));
  const structureIds = new Set(stored.structures.map(({ id }) => id));
  const arcIds = new Set(stored.arcs.map(({ id }) => id));
  const named = [
    ...(request.elements_to_update ?? []).map(({ qname }) => qname),
    ...(request.elements_to_remove ?? []),
  ];
  const structures = [
    ...(request.structures_to_update ?? []).map(({ structure_id }) => structure_id),
    ...(request.structures_to_remove ?? []),
  ];
  const missing = (code: string, kind: string, names: readonly string[], known: ReadonlySet<string>) =>
    [...new Set(names)]
      .filter((name) => !known.has(name))
      .map((name) => issue('delta_validation', code, `The ${kind} ${name} is not in this chart.`, { name }));
  return [
    ...missing('unknown_element_qname', 'element', named, qnames),
    ...missing('unknown_structure_id', 'structure', structures, structureIds),
    ...missing('unknown_association_id', 'association', request.associations_to_remove ?? [], arcIds),
  ];
}

function hierarchyIssues(
  kept: readonly StoredElement[],
  patched: readonly BlockElement[],
  removed: readonly StoredElement[],
): readonly BlockIssue[] {
  const removedNames = new Set(removed.map(({ qname }) => qname));
  const orphaned = patched
    .filter(({ parentQname }) => parentQname !== null && removedNames.has(parentQname))
    .map(({ qname, parentQname }) =>
      issue('delta_validation', 'element_has_children', `${parentQname} cannot go while ${qname} is below it.`, {
        qname,
      }),
    );
  const retired = new Set(
    patched.filter((element, index) => !element.isActive && kept[index]?.isActive === true).map(({ qname }) => qname),
  );
  const hidden = patched
    .filter(({ isActive, parentQname }) => isActive && parentQname !== null && retired.has(parentQname))
    .map(({ qname, parentQname }) =>
      // Taxonomy T-34.
      issue(
        'delta_validation',
        'element_has_active_children',
        `${parentQname} cannot be retired while ${qname} is active.`,
        { qname },
      ),
    );
  return [...orphaned, ...hidden];
}
