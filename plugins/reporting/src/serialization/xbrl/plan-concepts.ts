import {
  type BundleConcept,
  type BundleFact,
  labelInRole,
  type PreferredLabel,
  type ReportBundle,
} from '../bundle/index.ts';
import type { PlannedConcept } from './plan.ts';

/** A concept that only the package needs, such as the table of a structure. */
export type ExtraConcept = Pick<PlannedConcept, 'qname' | 'type' | 'substitutionGroup' | 'isAbstract'> & {
  readonly label: string;
};

/** The prefix of concepts in the namespace of the report. */
export const reportPrefix = 'report';

const typesOfItems: Readonly<Record<string, string>> = {
  monetary: 'xbrli:monetaryItemType',
  shares: 'xbrli:sharesItemType',
  percent: 'dtr:percentItemType',
  per_share: 'dtr:perShareItemType',
  text: 'dtr:textBlockItemType',
  text_block: 'dtr:textBlockItemType',
};

/** The declarations of the concepts of a bundle and of those that its package adds (reporting ). */
export function planConcepts(bundle: ReportBundle, extra: readonly ExtraConcept[]): readonly PlannedConcept[] {
  const facts = new Map(bundle.facts.map((fact) => [fact.concept, fact]));
  const used = usedLabels(bundle);
  const typedAxes = new Set(
    bundle.facts.flatMap(({ members }) => members.flatMap(({ axis, typedValue }) => (typedValue === null ? [] : axis))),
  );
  const members = new Set(bundle.facts.flatMap((fact) => fact.members.flatMap(({ member }) => member ?? [])));
  const declared = bundle.concepts.map((concept): PlannedConcept => {
    const type = members.has(concept.qname) ? 'dtr:domainItemType' : typeOf(concept, facts.get(concept.qname));
    const isMonetary = type === 'xbrli:monetaryItemType';
    return {
      ...partsOf(concept.qname),
      type,
      substitutionGroup: groupOf(concept),
      periodType: isDimensional(concept) ? 'duration' : concept.periodType,
      balance: isMonetary && !concept.isAbstract ? concept.balance : null,
      isAbstract: concept.isAbstract || isDimensional(concept),
      typedDomain: typedAxes.has(concept.qname) ? `${partsOf(concept.qname).local}Value` : null,
      labels: labelsOf(concept, used.get(concept.qname) ?? new Set()),
    };
  });
  const added = extra.map(({ label, ...concept }): PlannedConcept => {
    const labels = [{ role: 'standard' as const, text: label }];
    return { ...concept, ...partsOf(concept.qname), periodType: 'duration', balance: null, typedDomain: null, labels };
  });
  return [...declared, ...added];
}

/** The prefix and the local name of a concept. */
export function partsOf(qname: string): Pick<PlannedConcept, 'qname' | 'prefix' | 'local'> {
  const colon = qname.indexOf(':');
  return { qname, prefix: qname.slice(0, colon), local: qname.slice(colon + 1) };
}

function isDimensional({ elementType }: BundleConcept): boolean {
  return elementType === 'axis' || elementType === 'member' || elementType === 'hypercube';
}

function groupOf({ elementType }: BundleConcept): PlannedConcept['substitutionGroup'] {
  if (elementType === 'axis') return 'xbrldt:dimensionItem';
  return elementType === 'hypercube' ? 'xbrldt:hypercubeItem' : 'xbrli:item';
}

/** A reported concept has the type of its facts, because its taxonomy may say nothing about the type. */
function typeOf(concept: BundleConcept, fact: BundleFact | undefined): string {
  if (concept.elementType === 'member') return 'dtr:domainItemType';
  if (concept.isAbstract) return 'xbrli:stringItemType';
  const known = typesOfItems[concept.itemType ?? ''];
  if (fact === undefined) return known ?? 'xbrli:stringItemType';
  if (fact.unit === null) return 'dtr:textBlockItemType';
  if (fact.unit.includes('/')) return 'dtr:perShareItemType';
  if (/^[A-Z]{3}$/.test(fact.unit)) return 'xbrli:monetaryItemType';
  if (fact.unit === 'shares') return 'xbrli:sharesItemType';
  return known === 'dtr:percentItemType' ? known : 'xbrli:pureItemType';
}

/** The labels that arcs prefer, by concept; one that an arc prefers must exist (reporting X-28). */
function usedLabels({ structures }: ReportBundle): ReadonlyMap<string, ReadonlySet<PreferredLabel>> {
  const used = new Map<string, Set<PreferredLabel>>();
  for (const { to, preferredLabel } of structures.flatMap(({ arcs }) => arcs)) {
    if (preferredLabel === null) continue;
    const own = used.get(to) ?? new Set();
    used.set(to, own.add(preferredLabel));
  }
  return used;
}

function labelsOf(concept: BundleConcept, preferred: ReadonlySet<PreferredLabel>): PlannedConcept['labels'] {
  const text = concept.label.trim() === '' ? partsOf(concept.qname).local : concept.label;
  const documentation = concept.documentation?.trim() ?? '';
  return [
    { role: 'standard', text },
    ...(documentation === '' ? [] : [{ role: 'documentation' as const, text: documentation }]),
    ...[...preferred].sort().map((role) => ({ role, text: labelInRole(text, role) })),
  ];
}
