import {
  type BlockArc,
  type BlockElement,
  type BlockIssue,
  type BlockStructure,
  type ChartBlock,
  issue,
} from './block.ts';
import { arcIssues } from './check-arcs.ts';
import { findCycle } from './graph-walk.ts';
import { groupBy } from './group-by.ts';
import type { LibraryCatalogue } from './library-catalogue.ts';
import { balanceTypeOfTrait, elementTypes, periodTypeOfTrait } from './vocabulary.ts';

const chartStructureTypes = new Set(['chart_of_accounts', 'coa_mapping', 'custom']);

/** What the checks compare a chart with. */
export interface CheckSurroundings {
  readonly catalogue: LibraryCatalogue;
  /** Qnames of the graph's elements outside this chart. */
  readonly takenQnames: ReadonlySet<string>;
}

/** Every issue of a chart as it would be stored (taxonomy 2.2). */
export function checkChartBlock(block: ChartBlock, surroundings: CheckSurroundings): readonly BlockIssue[] {
  const elements = new Map(block.elements.map((element) => [element.qname, element]));
  const structures = structuresByRef(block.structures);
  return [
    ...referenceIssues(block, elements, structures, surroundings.catalogue),
    ...uniquenessIssues(block, structures, surroundings),
    ...cycleIssues(block, structures),
    ...parentCycleIssues(block.elements),
    ...block.elements.flatMap((element) => elementIssues(element, surroundings.catalogue)),
    ...structureIssues(block.structures),
    ...block.arcs.flatMap((arc) => arcIssues(arc, elements, structures, surroundings.catalogue)),
  ];
}

/** A structure is named by its id or its name. */
function structuresByRef(structures: readonly BlockStructure[]): ReadonlyMap<string, BlockStructure> {
  const entries = structures.flatMap((structure): readonly (readonly [string, BlockStructure])[] => [
    [structure.name, structure],
    ...(structure.id === null ? [] : [[structure.id, structure] as const]),
  ]);
  return new Map(entries);
}

function referenceIssues(
  block: ChartBlock,
  elements: ReadonlyMap<string, BlockElement>,
  structures: ReadonlyMap<string, BlockStructure>,
  catalogue: LibraryCatalogue,
): readonly BlockIssue[] {
  const phase = 'reference_resolution';
  const isKnown = (qname: string) => elements.has(qname) || catalogue.elementByQname(qname) !== undefined;
  const parents = block.elements.flatMap(({ qname, parentQname }) =>
    parentQname === null || elements.has(parentQname)
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

function uniquenessIssues(
  block: ChartBlock,
  structures: ReadonlyMap<string, BlockStructure>,
  { catalogue, takenQnames }: CheckSurroundings,
): readonly BlockIssue[] {
  const phase = 'uniqueness';
  const active = block.elements.filter(({ isActive, code }) => isActive && code !== null);
  const arcKey = (arc: BlockArc) =>
    `${structures.get(arc.structureRef)?.name ?? arc.structureRef} ${arc.from} → ${arc.to} (${arc.associationType})`;
  const mapped = block.arcs.filter((arc) => arc.associationType === 'mapping');
  const twoTargets = repeated(
    mapped,
    (arc) => `${structures.get(arc.structureRef)?.name ?? arc.structureRef} ${arc.from}`,
  );
  return [
    ...repeated(block.elements, ({ qname }) => qname).map((qname) =>
      issue(phase, 'duplicate_element_qname', `The qname ${qname} occurs more than once.`, { qname }),
    ),
    ...repeated(block.structures, ({ name }) => name).map((name) =>
      issue(phase, 'duplicate_structure_name', `The structure name "${name}" occurs more than once.`, { name }),
    ),
    ...block.elements
      .filter(({ qname }) => takenQnames.has(qname) || catalogue.elementByQname(qname) !== undefined)
      .map(({ qname }) => issue(phase, 'qname_taken', `The qname ${qname} belongs to another element.`, { qname })),
    ...repeated(active, ({ code }) => code ?? '').map((code) =>
      issue(phase, 'duplicate_code', `Two active accounts have the code ${code}.`, { code }),
    ),
    ...repeated(block.arcs, arcKey).map((arc) => issue(phase, 'duplicate_association', `The arc ${arc} occurs twice.`)),
    ...twoTargets.map((source) =>
      // Taxonomy M-2: a second concept would count the account twice.
      issue(phase, 'duplicate_association', `The account of ${source} has more than one reporting concept.`),
    ),
  ];
}

function repeated<T>(items: readonly T[], keyOf: (item: T) => string): readonly string[] {
  return [...groupBy(items, keyOf)].filter(([, group]) => group.length > 1).map(([key]) => key);
}

function cycleIssues(block: ChartBlock, structures: ReadonlyMap<string, BlockStructure>): readonly BlockIssue[] {
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

function elementIssues(element: BlockElement, catalogue: LibraryCatalogue): readonly BlockIssue[] {
  const { qname, trait, elementType, balanceType, periodType } = element;
  const specific = (code: string, message: string) => issue('type_specific', code, `${qname}: ${message}`, { qname });
  const issues: BlockIssue[] = [];
  if (!elementTypes.some((known) => known === elementType)) {
    issues.push(
      specific('invalid_element_type', `the element type "${elementType}" is not one of ${elementTypes.join(', ')}.`),
    );
  }
  if (balanceType !== null && balanceType !== 'debit' && balanceType !== 'credit') {
    issues.push(specific('invalid_balance_type', `the balance type must be debit or credit, not "${balanceType}".`));
  }
  if (periodType !== null && periodType !== 'instant' && periodType !== 'duration') {
    issues.push(specific('invalid_period_type', `the period type must be instant or duration, not "${periodType}".`));
  }
  if (element.metadata['origin'] === 'library') {
    const message = `${qname} claims to come from the library; only shipped elements do.`;
    issues.push(issue('library_origin_respect', 'library_origin_smuggled', message, { qname }));
  }
  if (trait === null) {
    return [...issues, specific('coa_missing_classification', 'an account needs a trait, such as asset or expense.')];
  }
  const isKnown = catalogue.frameworks.traits.some(
    ({ category, identifier }) => category === 'elementsOfFinancialStatements' && identifier === trait,
  );
  if (!isKnown) return [...issues, specific('unknown_trait', `the trait "${trait}" does not exist.`)];
  const expected = periodTypeOfTrait(trait);
  const isFixed = expected === 'instant' || ['revenue', 'expense', 'gain', 'loss'].includes(trait);
  if (isFixed && periodType !== null && periodType !== expected) {
    issues.push(specific('coa_period_type_mismatch', `an account of trait ${trait} is measured by ${expected}.`));
  }
  const hasNaturalSide = ['asset', 'liability', 'equity'].includes(trait) && element.metadata['contra'] !== true;
  if (
    hasNaturalSide &&
    (balanceType === 'debit' || balanceType === 'credit') &&
    balanceType !== balanceTypeOfTrait(trait)
  ) {
    const side = balanceTypeOfTrait(trait);
    issues.push(
      specific('coa_balance_mismatch', `${trait} stands on the ${side} side unless metadata says contra: true.`),
    );
  }
  return issues;
}

function structureIssues(structures: readonly BlockStructure[]): readonly BlockIssue[] {
  const refused = structures
    .filter(({ blockType }) => !chartStructureTypes.has(blockType))
    .map(({ name, blockType }) =>
      issue(
        'type_specific',
        'block_type_not_allowed',
        `"${name}": a chart cannot hold a structure of type ${blockType}.`,
        { name },
      ),
    );
  const mappings = structures.filter(({ blockType }) => blockType === 'coa_mapping');
  // Taxonomy M-3: one framework is shipped, so a chart has one mapping.
  if (mappings.length <= 1) return refused;
  const names = mappings.map(({ name }) => name).join(', ');
  const message = `A chart has at most one mapping into a framework; this one would have ${mappings.length}: ${names}.`;
  return [...refused, issue('type_specific', 'block_type_not_allowed', message)];
}
