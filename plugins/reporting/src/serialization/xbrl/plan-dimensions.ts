import { type BundleFact, type BundleStructure, compareText } from '../bundle/index.ts';
import { dimensionArcroles } from './namespaces.ts';
import type { PlannedArc } from './plan.ts';
import { type ExtraConcept, partsOf, reportPrefix } from './plan-concepts.ts';

/** A table of a structure. */
export interface DimensionPlan {
  readonly arcs: readonly PlannedArc[];
  readonly extra: readonly ExtraConcept[];
}

/**
 * The tables of a structure whose facts have members. An axis of typed values has no default, so a fact without a value
 * on it needs a table without that axis: there is one for each set of such axes, each for a role of its own, because the
 * tables of one role would have to hold at once.
 */
export function planDimensions(
  roleId: string,
  structure: BundleStructure,
  facts: readonly BundleFact[],
): readonly DimensionPlan[] {
  if (facts.every(({ members }) => members.length === 0)) return [];
  const groups = new Map<string, BundleFact[]>();
  for (const fact of facts) {
    const typed = fact.members.filter(({ typedValue }) => typedValue !== null).map(({ axis }) => axis);
    const key = typed.sort().join(' ');
    const own = groups.get(key) ?? [];
    groups.set(key, own);
    own.push(fact);
  }
  const sorted = [...groups].sort(([a], [b]) => compareText(a, b));
  return sorted.map(([, own], index) => tableOf(dimensionRoleId(roleId, index), structure, own));
}

/** The id of the role of a table; the first one is that of the structure. */
export function dimensionRoleId(roleId: string, index: number): string {
  return index === 0 ? roleId : `${roleId}_Table${index + 1}`;
}

/**
 * A table: its line items, axes, domains and members, closed over the scenario of contexts. The domain is the default of
 * its axis, so facts without members belong to the table, too (reporting X-32).
 */
function tableOf(roleId: string, structure: BundleStructure, facts: readonly BundleFact[]): DimensionPlan {
  const table = `${reportPrefix}:${roleId}Table`;
  const lineItems = `${reportPrefix}:${roleId}LineItems`;
  const items = [...new Set(facts.map(({ concept }) => concept))].sort();
  const axes = axesOf(facts);
  const axisArcs = [...axes].flatMap(([axis, members], index): readonly PlannedArc[] => {
    const arc: PlannedArc = { arcrole: dimensionArcroles.hypercubeDimension, from: table, to: axis, order: index + 1 };
    if (members.size === 0) return [arc];
    const domain = domainOf(axis);
    return [
      arc,
      { arcrole: dimensionArcroles.dimensionDomain, from: axis, to: domain, order: 1 },
      { arcrole: dimensionArcroles.dimensionDefault, from: axis, to: domain, order: 2 },
      ...numbered(dimensionArcroles.domainMember, domain, [...members].sort()),
    ];
  });
  const abstract = (qname: string, label: string): ExtraConcept => {
    return { qname, type: 'xbrli:stringItemType', substitutionGroup: 'xbrli:item', isAbstract: true, label };
  };
  return {
    arcs: [
      { arcrole: dimensionArcroles.all, from: lineItems, to: table, order: 1, isHypercube: true },
      ...axisArcs,
      ...numbered(dimensionArcroles.domainMember, lineItems, items),
    ],
    extra: [
      { ...abstract(table, `${structure.name} [Table]`), substitutionGroup: 'xbrldt:hypercubeItem' },
      abstract(lineItems, `${structure.name} [Line Items]`),
      ...[...axes]
        .filter(([, members]) => members.size > 0)
        .map(([axis]) => ({
          ...abstract(domainOf(axis), `${partsOf(axis).local} [Domain]`),
          type: 'dtr:domainItemType',
        })),
    ],
  };
}

/** The members on each axis; none on an axis of typed values. */
function axesOf(facts: readonly BundleFact[]): ReadonlyMap<string, ReadonlySet<string>> {
  const axes = new Map<string, Set<string>>();
  for (const { axis, member } of facts.flatMap(({ members }) => members)) {
    const own = axes.get(axis) ?? new Set();
    axes.set(axis, own);
    if (member !== null) own.add(member);
  }
  return new Map([...axes].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function domainOf(axis: string): string {
  const { prefix, local } = partsOf(axis);
  return `${reportPrefix}:${prefix}_${local}Domain`;
}

function numbered(arcrole: string, from: string, names: readonly string[]): readonly PlannedArc[] {
  return names.map((to, index) => ({ arcrole, from, to, order: index + 1 }));
}
