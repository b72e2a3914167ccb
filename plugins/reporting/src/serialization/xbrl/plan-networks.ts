import {
  type BundleArc,
  type BundleConcept,
  type BundleFact,
  type BundleStructure,
  factsByStructure,
  type ReportBundle,
} from '../bundle/index.ts';
import { arcroles } from '../json-ld/index.ts';
import type { PlannedArc, PlannedRole } from './plan.ts';
import type { ExtraConcept } from './plan-concepts.ts';
import { dimensionRoleId, planDimensions } from './plan-dimensions.ts';
import { SumValues } from './sum-values.ts';

/** The networks of a package, the concepts that they add, and what they leave out. */
export interface NetworkPlan {
  readonly roles: readonly PlannedRole[];
  readonly extra: readonly ExtraConcept[];
  readonly omitted: readonly string[];
}

const statementTypes: ReadonlySet<string> = new Set([
  'balance_sheet',
  'income_statement',
  'cash_flow_statement',
  'equity_statement',
  'comprehensive_income',
]);

/** The networks of the structures that have arcs (reporting ). */
export function planNetworks(bundle: ReportBundle, space: string): NetworkPlan {
  const concepts = new Map(bundle.concepts.map((concept) => [concept.qname, concept]));
  const factsOf = factsByStructure(bundle);
  const ids = new Set<string>();
  const extra: ExtraConcept[] = [];
  const omitted: string[] = [];
  const roles = bundle.structures.flatMap((structure, index): readonly PlannedRole[] => {
    if (structure.arcs.length === 0) return [];
    const id = unusedId(ids, structure);
    const facts = factsOf.get(structure.id) ?? [];
    const summed = planCalculation(structure, facts, concepts);
    const tables = planDimensions(id, structure, facts);
    extra.push(...tables.flatMap((table) => table.extra));
    omitted.push(...summed.omitted);
    const number = String((index + 1) * 10).padStart(3, '0');
    const definition = `${number} - ${kindOf(structure)} - ${structure.name}`;
    const [first, ...others] = tables;
    const own: PlannedRole = {
      id,
      uri: `${space}role/${id}`,
      definition,
      presentation: structure.arcs.filter(({ kind }) => kind === 'presentation').map(presentationArc),
      calculation: summed.arcs,
      dimensions: first?.arcs ?? [],
    };
    const more = others.map(({ arcs }, at): PlannedRole => {
      const tableId = dimensionRoleId(id, at + 1);
      const uri = `${space}role/${tableId}`;
      return { id: tableId, uri, definition, presentation: [], calculation: [], dimensions: arcs };
    });
    return [own, ...more];
  });
  return { roles, extra: distinctConcepts(extra), omitted };
}

function distinctConcepts(extra: readonly ExtraConcept[]): readonly ExtraConcept[] {
  return [...new Map(extra.map((concept) => [concept.qname, concept])).values()];
}

function kindOf({ blockType }: BundleStructure): string {
  if (statementTypes.has(blockType)) return 'Statement';
  return blockType === 'regulatory_disclosure' ? 'Disclosure' : 'Document';
}

function unusedId(taken: Set<string>, { name }: BundleStructure): string {
  const words = name.match(/[A-Za-z0-9]+/g) ?? [];
  const camel = words.map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`).join('');
  const base = /^[A-Za-z]/.test(camel) ? camel.slice(0, 100) : `Structure${camel.slice(0, 90)}`;
  let id = base;
  for (let number = 2; taken.has(id); number += 1) id = `${base}_${number}`;
  taken.add(id);
  return id;
}

function presentationArc({ from, to, order, preferredLabel }: BundleArc): PlannedArc {
  return { arcrole: arcroles.presentation, from, to, order, preferredLabel: preferredLabel ?? undefined };
}

interface CalculationPlan {
  readonly arcs: readonly PlannedArc[];
  readonly omitted: readonly string[];
}

/** The calculation arcs that the standard can state; others are left out and named (reporting ). */
function planCalculation(
  structure: BundleStructure,
  facts: readonly BundleFact[],
  concepts: ReadonlyMap<string, BundleConcept>,
): CalculationPlan {
  const arcs: PlannedArc[] = [];
  const omitted: string[] = [];
  const calculations = structure.arcs.filter(({ kind }) => kind === 'calculation');
  const direct = directTotals(structure, calculations, facts, concepts);
  for (const arc of calculations) {
    const [from, to] = [concepts.get(arc.from), concepts.get(arc.to)];
    if (from === undefined || to === undefined || from.periodType !== to.periodType) continue;
    if (direct.has(arc.from) || !isExportable(arc, from, to)) {
      omitted.push(`calculation_arc:${arc.from}>${arc.to}`);
      continue;
    }
    const weight = arc.weight === -1 ? -1 : 1;
    arcs.push({ arcrole: arcroles.calculation, from: arc.from, to: arc.to, order: arc.order, weight });
  }
  return { arcs, omitted };
}

/** Equal balances need a positive weight and different ones a negative weight (XBRL 2.1, 5.1.1.2). */
function isExportable({ weight }: BundleArc, from: BundleConcept, to: BundleConcept): boolean {
  if (weight !== 1 && weight !== -1) return false;
  if (from.balance === null || to.balance === null) return true;
  return (from.balance === to.balance) === weight > 0;
}

/** A warning of a report with several columns begins with the label of one in brackets. */
const directTotal = /(^|\] )direct_total: /;

/** Totals that a statement or note warns about because they are more than their parts, and are (S-32). */
function directTotals(
  { warnings }: BundleStructure,
  arcs: readonly BundleArc[],
  facts: readonly BundleFact[],
  concepts: ReadonlyMap<string, BundleConcept>,
): ReadonlySet<string> {
  const warned = warnings.filter((warning) => directTotal.test(warning));
  if (warned.length === 0) return new Set();
  const values = new SumValues(arcs);
  for (const { concept, entityId, period, unit, members, value } of facts) {
    if (value !== null) values.add(concept, JSON.stringify([entityId, period, unit, members]), value);
  }
  const unequal = new Set(values.unequalTotals(arcs).map(({ total }) => total));
  return new Set(
    [...unequal].filter((total) => {
      const label = concepts.get(total)?.label ?? total;
      return warned.some((warning) => warning.includes(label));
    }),
  );
}
