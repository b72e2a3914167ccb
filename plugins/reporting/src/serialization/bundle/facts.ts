import type { FactMember, StoredFact } from '@pacioli/blocks';
import { type BundleConcept, type BundleFact, type BundleMember, compareText, periodKey } from './bundle.ts';
import { localName } from './concept-names.ts';

/** The stored facts of a report and their axis members. */
export interface FactsSource {
  readonly facts: readonly StoredFact[];
  readonly hasDirectAmounts?: true;
  readonly members: readonly (FactMember & { readonly factId: string })[];
  /** Member values that are not among the elements are typed values. */
  readonly elements: ReadonlyMap<string, { readonly id: string }>;
  /** The name of an element, or of an axis that `axesOf` made. */
  nameOf(id: string): string;
}

/** An axis without an element of its own. */
export interface UnnamedAxis {
  readonly id: string;
  readonly concept: BundleConcept;
}

/** Axes that members name only by their type. */
export function axesOf(members: FactsSource['members']): readonly UnnamedAxis[] {
  const types = members.filter(isAxisMember).flatMap(({ axisElementId, dimensionType }) => {
    return axisElementId === null ? [dimensionType] : [];
  });
  return [...new Set(types)].map((type) => ({ id: axisId(type), concept: axisConcept(type) }));
}

const axisId = (dimensionType: string): string => `axis ${dimensionType}`;

function isAxisMember({ dimensionType }: FactMember): boolean {
  return dimensionType !== 'scenario';
}

function axisConcept(type: string): BundleConcept {
  return {
    qname: `ext:${localName(type)}Axis`,
    label: type,
    documentation: null,
    elementType: 'axis',
    itemType: null,
    balance: null,
    periodType: 'duration',
    isAbstract: true,
  };
}

/** One fact for each value of an element, entity, period, unit and members, in all its sets (reporting X-3). */
export function bundleFacts(source: FactsSource): readonly BundleFact[] {
  const members = new Map<string, BundleMember[]>();
  for (const member of source.members.filter(isAxisMember)) {
    const element = source.elements.get(member.value);
    const own = members.get(member.factId) ?? [];
    members.set(member.factId, own);
    own.push({
      axis: source.nameOf(member.axisElementId ?? axisId(member.dimensionType)),
      member: element === undefined ? null : source.nameOf(element.id),
      typedValue: element === undefined ? member.value : null,
    });
  }
  const facts = new Map<string, BundleFact>();
  for (const stored of [...source.facts].sort((a, b) => compareText(a.id, b.id))) {
    if (stored.value === null && stored.textValue === null) continue;
    const own = (members.get(stored.id) ?? []).toSorted((a, b) => compareText(a.axis, b.axis));
    const fact = factOf(stored, source.nameOf(stored.elementId), own);
    const key = identityOf(fact);
    const earlier = facts.get(key);
    const factSetIds = [...new Set([...(earlier?.factSetIds ?? []), stored.factSetId])].sort();
    const direct = source.hasDirectAmounts === true ? stored.provenance?.['direct_amount'] : undefined;
    facts.set(key, {
      ...(earlier ?? fact),
      factSetIds,
      ...(typeof direct === 'string' ? { directAmount: direct } : {}),
    });
  }
  return [...facts.values()].sort((a, b) => compareText(a.id, b.id));
}

function factOf(stored: StoredFact, concept: string, members: readonly BundleMember[]): BundleFact {
  const { id, entityId, periodStart, periodEnd, periodType, value, unit, decimals } = stored;
  const isText = value === null;
  // Without a known precision the digits are taken as they are (reporting F-5).
  const precision = decimals === null || !/^(INF|-?\d+)$/.test(decimals) ? 'INF' : decimals;
  return {
    id,
    concept,
    entityId,
    period: periodType === 'instant' ? { instant: periodEnd } : { start: periodStart ?? periodEnd, end: periodEnd },
    value: isText ? null : withFraction(value, precision),
    unit: isText ? null : (unit ?? 'pure'),
    decimals: isText ? null : precision,
    text: isText ? stored.textValue : null,
    contentType: isText ? (stored.contentType ?? 'text/plain') : null,
    members,
    factSetIds: [],
  };
}

/** The decimal with at least as many digits after the point as its precision states (reporting X-36). */
function withFraction(value: string, decimals: string): string {
  const digits = decimals === 'INF' ? 0 : Math.min(Number(decimals), maxFractionDigits);
  const [whole = '', fraction = ''] = value.split('.');
  const padded = fraction.padEnd(digits, '0');
  return padded === '' ? whole : `${whole}.${padded}`;
}

const maxFractionDigits = 30;

function identityOf(fact: BundleFact): string {
  const { concept, entityId, period, unit, value, decimals, text, members } = fact;
  return JSON.stringify([concept, entityId, periodKey(period), unit, value, decimals, text, members]);
}
