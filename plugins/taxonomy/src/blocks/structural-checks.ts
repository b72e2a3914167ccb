import { findCycle, groupBy, reachableFrom } from '../values/index.ts';
import type { StoredArc, StoredBlock, StoredRule } from '../vocabulary/index.ts';

/** How one structural check came out. */
export interface StructuralResult {
  readonly ruleId: string;
  readonly checkKind: string;
  /** Null for a check of the whole taxonomy. */
  readonly structureId: string | null;
  readonly status: 'pass' | 'fail';
  /** What breaks the rule, named by qname or id; empty when it passes. */
  readonly offenders: readonly string[];
}

/** What the checks know beyond the block itself. */
export interface StructuralSurroundings {
  /** Taxonomies whose elements arcs of the block may join, its own left out (taxonomy section 6, NoOrphanArcs). */
  readonly reachableTaxonomyIds: ReadonlySet<string>;
  /** Qnames of shipped elements that the block names and whose stored row is not what was shipped. */
  readonly changedLibraryElements: readonly string[];
}

/** Evaluates the structural rules of a stored block (taxonomy section 6); other rules are left out. */
export function evaluateStructuralChecks(
  block: StoredBlock,
  surroundings: StructuralSurroundings,
): readonly StructuralResult[] {
  return block.rules.flatMap((rule): readonly StructuralResult[] => {
    if (rule.checkKind === null) return [];
    const target = rule.targets[0];
    const structureId = target?.kind === 'structure' ? target.ref : null;
    const offenders = offendersOf(rule, rule.checkKind, structureId, block, surroundings);
    const status = offenders.length === 0 ? 'pass' : 'fail';
    return [{ ruleId: rule.id, checkKind: rule.checkKind, structureId, status, offenders }];
  });
}

function offendersOf(
  rule: StoredRule,
  checkKind: string,
  structureId: string | null,
  block: StoredBlock,
  surroundings: StructuralSurroundings,
): readonly string[] {
  const arcs = block.arcs.filter(({ structureRef }) => structureRef === structureId);
  switch (checkKind) {
    case 'UniqueQNameInTaxonomy':
      return [...groupBy(block.elements, ({ qname }) => qname)].filter(([, same]) => same.length > 1).map(([q]) => q);
    case 'LibraryOriginImmutability':
      return surroundings.changedLibraryElements;
    case 'LeafHasClassification':
      return unclassifiedLeaves(block);
    case 'NoCycles':
      return ['presentation', 'calculation'].flatMap(
        (type) => findCycle(arcs.filter(({ associationType }) => associationType === type)) ?? [],
      );
    case 'NoOrphanArcs':
      return arcs.filter((arc) => isOrphan(arc, block, surroundings)).map(({ id }) => id);
    case 'ParentBeforeChild':
      return misplacedChildren(arcs, block);
    default:
      throw new Error(`The rule ${rule.id} has the check kind ${checkKind}, which nothing evaluates.`);
  }
}

function unclassifiedLeaves(block: StoredBlock): readonly string[] {
  const parents = new Set(block.elements.map(({ parentQname }) => parentQname));
  return block.elements
    .filter(({ qname, isActive, elementType, trait }) => {
      const isLeaf = !parents.has(qname);
      return isLeaf && isActive && elementType === 'concept' && trait === null;
    })
    .map(({ qname }) => qname);
}

function isOrphan(arc: StoredArc, block: StoredBlock, { reachableTaxonomyIds }: StructuralSurroundings): boolean {
  const belongs = (taxonomyId: string | null | undefined) =>
    taxonomyId !== undefined &&
    (taxonomyId === null || taxonomyId === block.head.id || reachableTaxonomyIds.has(taxonomyId));
  return !belongs(arc.fromTaxonomyId) || !belongs(arc.toTaxonomyId);
}

function misplacedChildren(arcs: readonly StoredArc[], block: StoredBlock): readonly string[] {
  const shown = arcs.filter(({ associationType }) => associationType === 'presentation');
  const children = new Set(shown.map(({ to }) => to));
  const roots = new Set(shown.map(({ from }) => from).filter((qname) => !children.has(qname)));
  const reached = reachableFrom(roots, shown);
  const depths = new Map(block.elements.map(({ qname, depth }) => [qname, depth]));
  const isAbove = ({ from, to }: StoredArc) => {
    const [parent, child] = [depths.get(from), depths.get(to)];
    return parent !== undefined && child !== undefined && child < parent;
  };
  const lost = [...children].filter((qname) => !reached.has(qname));
  return [...new Set([...lost, ...shown.filter(isAbove).map(({ to }) => to)])];
}
