import type { UpdateBlockRequest } from '../models/taxonomy-block-requests.ts';
import {
  type Block,
  type BlockElement,
  type BlockIssue,
  type BlockStructure,
  issue,
  type StoredArc,
  type StoredBlock,
  type StoredElement,
  type StoredRule,
  type StoredStructure,
  structuresByRef,
  taxonomyType,
} from '../vocabulary/index.ts';
import { requestedArc, requestedElement, requestedRule, requestedStructure } from './block-requests.ts';

type ElementPatch = NonNullable<UpdateBlockRequest['elements_to_update']>[number];

/** The effect of an update on a block, and the block afterwards (taxonomy T-31, T-33). */
export interface ProjectedUpdate {
  readonly after: Block;
  readonly issues: readonly BlockIssue[];
  readonly removedElements: readonly StoredElement[];
  readonly removedStructures: readonly StoredStructure[];
  /** Requested arcs and those removed with their structure or element. */
  readonly removedArcs: readonly StoredArc[];
  /** Requested rules and those removed with their target. */
  readonly removedRules: readonly StoredRule[];
  /**
   * True when structures, arcs or the set of elements change, so that automatic rules must be rebuilt (taxonomy T-35).
   */
  readonly isStructural: boolean;
  /** Accounts whose side, period type or trait changes. */
  readonly reclassified: readonly StoredElement[];
}

/** Ids of the request that are not in the block but exist elsewhere, and qnames of shipped elements. */
export interface KnownElsewhere {
  readonly associationIds: ReadonlySet<string>;
  readonly ruleIds: ReadonlySet<string>;
  isShipped(qname: string): boolean;
}

/** Applies a request to a block in memory; unknown names become issues and change nothing. */
export function projectUpdate(
  stored: StoredBlock,
  request: UpdateBlockRequest,
  elsewhere: KnownElsewhere,
): ProjectedUpdate {
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
  const removedRules = rulesThatFall(stored, request, { removedNames, removedStructureIds, removedArcIds: gone });
  const goneRules = new Set(removedRules.map(({ id }) => id));
  const prefix = stored.head.standard ?? taxonomyType(stored.taxonomyType)?.prefix ?? 'custom';
  return {
    after: {
      taxonomyType: stored.taxonomyType,
      parentTaxonomyId: stored.parentTaxonomyId,
      namespaceUri: stored.namespaceUri,
      elements: [...patched, ...(request.elements_to_add ?? []).map((added) => requestedElement(added, prefix))],
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
      rules: [
        ...stored.rules.filter(({ id }) => !goneRules.has(id)),
        ...(request.rules_to_add ?? []).map(requestedRule),
      ],
    },
    issues: [
      ...unknownNames(stored, request, elsewhere),
      ...autoRuleIssues(stored, request),
      ...hierarchyIssues(kept, patched, removedElements),
    ],
    removedElements,
    removedStructures: stored.structures.filter(({ id }) => removedStructureIds.has(id)),
    removedArcs,
    removedRules,
    isStructural: [
      request.structures_to_add,
      request.structures_to_update,
      request.structures_to_remove,
      request.associations_to_add,
      request.associations_to_remove,
      request.elements_to_remove,
    ].some((list) => list !== undefined && list.length > 0),
    reclassified: kept.filter((element, index) => isReclassified(element, patched[index])),
  };
}

/** Removes structures from a block, with their arcs and the rules about them, both stored and requested. */
export function withoutStructures(block: Block, ids: ReadonlySet<string>): Block {
  if (ids.size === 0) return block;
  const refs = refsTo(block, ids);
  const arcs = new Set(
    block.arcs.flatMap(({ id, structureRef }) => (id !== null && refs.has(structureRef) ? [id] : [])),
  );
  return {
    ...block,
    structures: block.structures.filter(({ id }) => id === null || !ids.has(id)),
    arcs: block.arcs.filter(({ structureRef }) => !refs.has(structureRef)),
    rules: block.rules.filter(
      ({ targets }) =>
        !targets.some(
          ({ kind, ref }) => (kind === 'structure' && refs.has(ref)) || (kind === 'association' && arcs.has(ref)),
        ),
    ),
  };
}

/** The references to each of the structures: its id, and its name unless another structure of the block has it. */
export function refsTo(block: Block, ids: ReadonlySet<string>): ReadonlyMap<string, string> {
  const others = structuresByRef(block.structures.filter(({ id }) => id === null || !ids.has(id)));
  return new Map(
    block.structures.flatMap(({ id, name }): readonly (readonly [string, string])[] => {
      if (id === null || !ids.has(id)) return [];
      return others.has(name)
        ? [[id, id]]
        : [
            [name, id],
            [id, id],
          ];
    }),
  );
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
    // A new trait implies its period type unless the request sets one (taxonomy T-7).
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

function unknownNames(
  stored: StoredBlock,
  request: UpdateBlockRequest,
  elsewhere: KnownElsewhere,
): readonly BlockIssue[] {
  const phase = 'delta_validation';
  const qnames = new Set(stored.elements.map(({ qname }) => qname));
  const named = [
    ...(request.elements_to_update ?? []).map(({ qname }) => qname),
    ...(request.elements_to_remove ?? []),
  ];
  const structures = [
    ...(request.structures_to_update ?? []).map(({ structure_id }) => structure_id),
    ...(request.structures_to_remove ?? []),
  ];
  const missing = (names: readonly string[] | undefined, known: Iterable<{ readonly id: string }>) => {
    const ids = new Set([...known].map(({ id }) => id));
    return [...new Set(names ?? [])].filter((name) => !ids.has(name));
  };
  return [
    ...[...new Set(named)]
      .filter((qname) => !qnames.has(qname))
      .map((name) =>
        elsewhere.isShipped(name)
          ? issue(phase, 'library_element_immutable', `${name} belongs to the shipped library.`, { name })
          : issue(phase, 'unknown_element_qname', `The element ${name} is not in this taxonomy.`, { name }),
      ),
    ...missing(structures, stored.structures).map((name) =>
      issue(phase, 'unknown_structure_id', `The structure ${name} is not in this taxonomy.`, { name }),
    ),
    ...missing(request.associations_to_remove, stored.arcs).map((name) =>
      elsewhere.associationIds.has(name)
        ? issue(phase, 'association_not_in_taxonomy', `The association ${name} is of another taxonomy.`, { name })
        : issue(phase, 'unknown_association_id', `The association ${name} does not exist.`, { name }),
    ),
    ...missing(request.rules_to_remove, stored.rules).map((name) =>
      elsewhere.ruleIds.has(name)
        ? issue(phase, 'rule_not_in_taxonomy', `The rule ${name} is of another taxonomy.`, { name })
        : issue(phase, 'unknown_rule_id', `The rule ${name} does not exist.`, { name }),
    ),
  ];
}

function autoRuleIssues(stored: StoredBlock, request: UpdateBlockRequest): readonly BlockIssue[] {
  const named = new Set(request.rules_to_remove ?? []);
  return stored.rules
    .filter(({ id, origin }) => named.has(id) && origin === 'auto')
    .map(({ id, name }) => {
      const message = `The rule "${name}" is maintained by the system and is removed only with its target.`;
      return issue('delta_validation', 'auto_rule_immutable', message, { id });
    });
}

/** Requested rules, and those whose structure, arc or element is removed; automatic rules are rebuilt anyway. */
function rulesThatFall(
  stored: StoredBlock,
  request: UpdateBlockRequest,
  gone: {
    readonly removedNames: ReadonlySet<string>;
    readonly removedStructureIds: ReadonlySet<string>;
    readonly removedArcIds: ReadonlySet<string>;
  },
): readonly StoredRule[] {
  const named = new Set(request.rules_to_remove ?? []);
  return stored.rules.filter(
    (rule) =>
      (named.has(rule.id) && rule.origin !== 'auto') ||
      rule.targets.some(
        ({ kind, ref }) =>
          (kind === 'structure' && gone.removedStructureIds.has(ref)) ||
          (kind === 'association' && gone.removedArcIds.has(ref)) ||
          (kind === 'element' && gone.removedNames.has(ref)),
      ),
  );
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
      issue(
        'delta_validation',
        'element_has_children',
        `${parentQname} cannot be removed while ${qname} is below it.`,
        {
          qname,
        },
      ),
    );
  const retired = new Set(
    patched.filter((element, index) => !element.isActive && kept[index]?.isActive === true).map(({ qname }) => qname),
  );
  const hidden = patched
    .filter(({ isActive, parentQname }) => isActive && parentQname !== null && retired.has(parentQname))
    .map(({ qname, parentQname }) =>
      // The children would have no parent in the tree (taxonomy T-34).
      issue(
        'delta_validation',
        'element_has_active_children',
        `${parentQname} cannot be retired while ${qname} is active.`,
        { qname },
      ),
    );
  return [...orphaned, ...hidden];
}
