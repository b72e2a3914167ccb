import type { LibraryCatalogue, LibraryElementRow } from '../library/index.ts';
import { findCycle, groupBy } from '../values/index.ts';
import {
  type Block,
  type BlockArc,
  type BlockElement,
  type BlockIssue,
  issue,
  structuresByRef,
} from '../vocabulary/index.ts';
import { arcIssues, type MappingTarget } from './check-arcs.ts';
import { elementIssues } from './check-elements.ts';
import { ruleIssues } from './check-rules.ts';
import { structureIssues } from './check-structures.ts';

/** What the checks compare a block with. */
export interface CheckSurroundings {
  readonly catalogue: LibraryCatalogue;
  /** Qnames of the graph's elements outside this block. */
  readonly takenQnames: ReadonlySet<string>;
  /** Concepts of the graph's extensions that arcs of this block name, by qname. */
  readonly extensionConcepts: ReadonlyMap<string, MappingTarget>;
}

/** Every issue of a block as it would be stored (taxonomy 2.2). */
export function checkBlock(block: Block, surroundings: CheckSurroundings): readonly BlockIssue[] {
  const elements = new Map(block.elements.map((element) => [element.qname, element]));
  const { catalogue } = surroundings;
  const named = { ...surroundings, elements, structures: structuresByRef(block.structures) };
  return [
    ...referenceIssues(block, elements, surroundings),
    ...uniquenessIssues(block, surroundings),
    ...cycleIssues(block),
    ...parentCycleIssues(block.elements),
    ...headIssues(block, catalogue),
    ...block.elements.flatMap((element) => elementIssues(element, block, catalogue)),
    ...structureIssues(block),
    ...ruleIssues(block, elements, (qname) => shippedFor(block, qname, catalogue) !== undefined),
    ...block.arcs.flatMap((arc) => arcIssues(arc, block, named)),
  ];
}

/**
 * A shipped element that the block may name: any of the framework's packages (taxonomy T-26). Schedules
 * stand for themselves.
 */
export function shippedFor(block: Block, qname: string, catalogue: LibraryCatalogue): LibraryElementRow | undefined {
  return block.taxonomyType === 'schedule' ? undefined : catalogue.elementByQname(qname);
}

function referenceIssues(
  block: Block,
  elements: ReadonlyMap<string, BlockElement>,
  { catalogue, extensionConcepts }: CheckSurroundings,
): readonly BlockIssue[] {
  const phase = 'reference_resolution';
  const structures = structuresByRef(block.structures);
  const isShipped = (qname: string) => shippedFor(block, qname, catalogue) !== undefined;
  const isKnown = (qname: string) => elements.has(qname) || isShipped(qname) || extensionConcepts.has(qname);
  const isParent = (qname: string) =>
    elements.has(qname) || (block.taxonomyType === 'reporting_extension' && isShipped(qname));
  const parents = block.elements.flatMap(({ qname, parentQname }) =>
    parentQname === null || isParent(parentQname)
      ? []
      : [issue(phase, 'phantom_parent_ref', `The parent ${parentQname} of ${qname} is not in this block.`, { qname })],
  );
  const arcs = block.arcs.flatMap(({ structureRef, from, to }) => [
    ...(structures.has(structureRef)
      ? []
      : [
          issue(phase, 'phantom_structure_ref', `The structure ${structureRef} is not in this block.`, {
            structureRef,
          }),
        ]),
    ...(isKnown(from) ? [] : [issue(phase, 'phantom_from_ref', `The source ${from} does not exist.`, { from })]),
    ...(isKnown(to) ? [] : [issue(phase, 'phantom_to_ref', `The target ${to} does not exist.`, { to })]),
  ]);
  return [...parents, ...arcs];
}

function uniquenessIssues(block: Block, { catalogue, takenQnames }: CheckSurroundings): readonly BlockIssue[] {
  const phase = 'uniqueness';
  const structures = structuresByRef(block.structures);
  const nameOf = (ref: string) => structures.get(ref)?.name ?? ref;
  // Codes are unique within a chart; other taxonomies may use them as they like.
  const coded = block.taxonomyType === 'chart_of_accounts' ? block.elements : [];
  const active = coded.filter(({ isActive, code }) => isActive && code !== null);
  const arcKey = (arc: BlockArc) => `${nameOf(arc.structureRef)} ${arc.from} → ${arc.to} (${arc.associationType})`;
  const mapped = block.arcs.filter((arc) => arc.associationType === 'mapping');
  return [
    ...repeated(block.elements, ({ qname }) => qname).map((qname) =>
      issue(phase, 'duplicate_element_qname', `The qname ${qname} occurs more than once.`, { qname }),
    ),
    ...repeated(block.structures, ({ name }) => name).map((name) =>
      issue(phase, 'duplicate_structure_name', `The structure name "${name}" occurs more than once.`, { name }),
    ),
    ...repeated(
      block.rules.filter(({ origin }) => origin !== 'auto'),
      ({ name }) => name,
    ).map((name) => issue(phase, 'duplicate_rule_name', `The rule name "${name}" occurs more than once.`, { name })),
    ...block.elements
      .filter(({ qname }) => takenQnames.has(qname) || catalogue.elementByQname(qname) !== undefined)
      .map(({ qname }) => issue(phase, 'qname_taken', `The qname ${qname} belongs to another element.`, { qname })),
    ...repeated(active, ({ code }) => code ?? '').map((code) =>
      issue(phase, 'duplicate_code', `Two active accounts have the code ${code}.`, { code }),
    ),
    ...repeated(block.arcs, arcKey).map((arc) => issue(phase, 'duplicate_association', `The arc ${arc} occurs twice.`)),
    ...repeated(mapped, (arc) => `${nameOf(arc.structureRef)} ${arc.from}`).map((source) =>
      // Taxonomy M-2: a second concept would count the account twice.
      issue(phase, 'duplicate_association', `The account of ${source} has more than one reporting concept.`),
    ),
  ];
}

function repeated<T>(items: readonly T[], keyOf: (item: T) => string): readonly string[] {
  return [...groupBy(items, keyOf)].filter(([, group]) => group.length > 1).map(([key]) => key);
}

function cycleIssues(block: Block): readonly BlockIssue[] {
  const structures = structuresByRef(block.structures);
  const ordered = block.arcs.filter(
    ({ associationType }) => associationType === 'presentation' || associationType === 'calculation',
  );
  const nameOf = (arc: BlockArc) => structures.get(arc.structureRef)?.name ?? arc.structureRef;
  return [...groupBy(ordered, (arc) => JSON.stringify([nameOf(arc), arc.associationType])).values()].flatMap((arcs) => {
    const cycle = findCycle(arcs);
    const [first] = arcs;
    if (cycle === undefined || first === undefined) return [];
    const context = { structure_ref: nameOf(first), association_type: first.associationType, cycle_path: cycle };
    const message = `The ${first.associationType} arcs of "${nameOf(first)}" form a cycle: ${cycle.join(' → ')}.`;
    return [issue('structural_integrity', 'cycle_detected', message, context)];
  });
}

function parentCycleIssues(elements: readonly BlockElement[]): readonly BlockIssue[] {
  const links = elements.flatMap(({ qname, parentQname }) =>
    parentQname === null ? [] : [{ from: qname, to: parentQname }],
  );
  const cycle = findCycle(links);
  if (cycle === undefined) return [];
  return [
    issue('structural_integrity', 'parent_cycle', `Parents form a circle: ${cycle.join(' → ')}.`, {
      cycle_path: cycle,
    }),
  ];
}

/** What an extension must say of the standard that it extends. */
function headIssues(block: Block, catalogue: LibraryCatalogue): readonly BlockIssue[] {
  if (block.taxonomyType !== 'reporting_extension') return [];
  const specific = (code: string, message: string, context = {}) => issue('type_specific', code, message, context);
  const parentId = block.parentTaxonomyId;
  const issues: BlockIssue[] = [];
  if (parentId === null) {
    issues.push(
      specific('extension_missing_parent', 'An extension names the reporting standard in parent_taxonomy_id.'),
    );
  } else if (catalogue.taxonomyById(parentId)?.taxonomyType !== 'reporting_standard') {
    const message = `The parent ${parentId} is no reporting standard of the library; libraryTaxonomies lists them.`;
    issues.push(specific('extension_parent_invalid', message, { parentId }));
  }
  if (block.namespaceUri === null) return issues;
  const segment = lastSegment(block.namespaceUri);
  const foreign = block.elements.filter(({ qname }) => qname.slice(0, qname.indexOf(':')) !== segment);
  return [
    ...issues,
    ...foreign.map(({ qname }) =>
      specific('extension_namespace_mismatch', `${qname} needs the prefix "${segment}" of the name space.`, { qname }),
    ),
  ];
}

function lastSegment(uri: string): string {
  const trimmed = uri.replace(/[/#]+$/, '');
  return trimmed.slice(Math.max(trimmed.lastIndexOf('/'), trimmed.lastIndexOf(':')) + 1);
}
