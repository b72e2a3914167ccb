import type { LibraryCatalog, LibraryElementRow } from '../library/index.ts';
import { findCycle, groupBy } from '../values/index.ts';
import {
  type Block,
  type BlockArc,
  type BlockElement,
  type BlockIssue,
  issue,
  structuresByRef,
  taxonomyType,
} from '../vocabulary/index.ts';
import { arcIssues, type MappingTarget } from './check-arcs.ts';
import { elementIssues } from './check-elements.ts';
import { ruleIssues } from './check-rules.ts';

/** Data outside the block that the checks compare it with. */
export interface CheckSurroundings {
  readonly catalog: LibraryCatalog;
  /** Qnames of the graph's elements outside this block. */
  readonly takenQnames: ReadonlySet<string>;
  /** Concepts of the graph's extensions that arcs of this block name, by qname. */
  readonly extensionConcepts: ReadonlyMap<string, MappingTarget>;
}

/** Every issue of a block as it would be stored (taxonomy 2.2). */
export function checkBlock(block: Block, surroundings: CheckSurroundings): readonly BlockIssue[] {
  const elements = new Map(block.elements.map((element) => [element.qname, element]));
  const { catalog } = surroundings;
  const named = { ...surroundings, elements, structures: structuresByRef(block.structures) };
  return [
    ...referenceIssues(block, elements, surroundings),
    ...uniquenessIssues(block, surroundings),
    ...cycleIssues(block),
    ...parentCycleIssues(block.elements),
    ...headIssues(block, catalog),
    ...block.elements.flatMap((element) => elementIssues(element, block, catalog)),
    ...structureIssues(block),
    ...ruleIssues(block, elements, (qname) => shippedFor(block, qname, catalog) !== undefined),
    ...block.arcs.flatMap((arc) => arcIssues(arc, block, named)),
  ];
}

/**
 * Finds a shipped element that the block may name: of any package of the framework (taxonomy T-26). Schedules may not
 * name shipped elements.
 */
export function shippedFor(block: Block, qname: string, catalog: LibraryCatalog): LibraryElementRow | undefined {
  return block.taxonomyType === 'schedule' ? undefined : catalog.elementByQname(qname);
}

function referenceIssues(
  block: Block,
  elements: ReadonlyMap<string, BlockElement>,
  { catalog, extensionConcepts }: CheckSurroundings,
): readonly BlockIssue[] {
  const phase = 'reference_resolution';
  const structures = structuresByRef(block.structures);
  const isShipped = (qname: string) => shippedFor(block, qname, catalog) !== undefined;
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

function uniquenessIssues(block: Block, { catalog, takenQnames }: CheckSurroundings): readonly BlockIssue[] {
  const phase = 'uniqueness';
  const structures = structuresByRef(block.structures);
  const nameOf = (ref: string) => structures.get(ref)?.name ?? ref;
  // Codes are unique within a chart; other taxonomies may repeat them.
  const coded = block.taxonomyType === 'chart_of_accounts' ? block.elements : [];
  const active = coded.filter(({ isActive, code }) => isActive && code !== null);
  const arcKey = ({ structureRef, from, to, associationType, metadata }: BlockArc): string => {
    const label = associationType === 'presentation' ? metadata['preferred_label'] : undefined;
    const as = typeof label === 'string' && label !== '' ? `, as ${label}` : '';
    return `${nameOf(structureRef)} ${from} → ${to} (${associationType}${as})`;
  };
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
      .filter(({ qname }) => takenQnames.has(qname) || catalog.elementByQname(qname) !== undefined)
      .map(({ qname }) => issue(phase, 'qname_taken', `The qname ${qname} belongs to another element.`, { qname })),
    ...repeated(active, ({ code }) => code ?? '').map((code) =>
      issue(phase, 'duplicate_code', `Two active accounts have the code ${code}.`, { code }),
    ),
    ...repeated(block.arcs, arcKey).map((arc) => issue(phase, 'duplicate_association', `The arc ${arc} occurs twice.`)),
    ...repeated(mapped, (arc) => `${nameOf(arc.structureRef)} ${arc.from}`).map((source) =>
      // A second concept would count the account twice (taxonomy M-2).
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
    issue('structural_integrity', 'parent_cycle', `Parents form a cycle: ${cycle.join(' → ')}.`, {
      cycle_path: cycle,
    }),
  ];
}

/** Checks that an extension names the standard that it extends. */
function headIssues(block: Block, catalog: LibraryCatalog): readonly BlockIssue[] {
  if (block.taxonomyType !== 'reporting_extension') return [];
  const specific = (code: string, message: string, context = {}) => issue('type_specific', code, message, context);
  const parentId = block.parentTaxonomyId;
  const issues: BlockIssue[] = [];
  if (parentId === null) {
    issues.push(
      specific('extension_missing_parent', 'An extension must name its reporting standard in parent_taxonomy_id.'),
    );
  } else if (catalog.taxonomyById(parentId)?.taxonomyType !== 'reporting_standard') {
    const message = `The parent ${parentId} is not a reporting standard of the library; libraryTaxonomies lists them.`;
    issues.push(specific('extension_parent_invalid', message, { parentId }));
  }
  if (block.namespaceUri === null) return issues;
  const segment = lastSegment(block.namespaceUri);
  const foreign = block.elements.filter(({ qname }) => qname.slice(0, qname.indexOf(':')) !== segment);
  return [
    ...issues,
    ...foreign.map(({ qname }) =>
      specific('extension_namespace_mismatch', `${qname} must have the prefix "${segment}" of its namespace.`, {
        qname,
      }),
    ),
  ];
}

function lastSegment(uri: string): string {
  const trimmed = uri.replace(/[/#]+$/, '');
  return trimmed.slice(Math.max(trimmed.lastIndexOf('/'), trimmed.lastIndexOf(':')) + 1);
}

/** Rejects structures that a block of its type may not contain (taxonomy 1.6, M-3). */
function structureIssues(block: Block): readonly BlockIssue[] {
  const type = taxonomyType(block.taxonomyType);
  const refused = block.structures
    .filter(({ blockType }) => type?.blockTypes.has(blockType) !== true)
    .map(({ name, blockType }) => {
      const allowed = [...(type?.blockTypes ?? [])].join(', ');
      const message = `"${name}": a ${block.taxonomyType} cannot contain a structure of type ${blockType}, only ${allowed}.`;
      return issue('type_specific', 'block_type_not_allowed', message, { name });
    });
  const mappings = block.structures.filter(({ blockType }) => blockType === 'coa_mapping');
  // One framework is shipped, so a chart has one mapping; other taxonomies reject the type itself (taxonomy M-3).
  if (mappings.length <= 1 || block.taxonomyType !== 'chart_of_accounts') return refused;
  const names = mappings.map(({ name }) => name).join(', ');
  const message = `A chart has at most one mapping into a framework; this one would have ${mappings.length}: ${names}.`;
  return [...refused, issue('type_specific', 'block_type_not_allowed', message)];
}
