import { spaces } from './namespaces.ts';
import type { PlannedContext, PlannedFact, PlannedUnit, XbrlPlan } from './plan.ts';
import { partsOf } from './plan-concepts.ts';
import { type XmlElement, xml, xmlParts } from './xml.ts';

/** The text of the instance in parts, one for each context, unit and fact (reporting 14.4). */
export function writeInstance(plan: XbrlPlan): Iterable<string> {
  const used = new Set(plan.facts.map(({ concept }) => partsOf(concept).prefix));
  for (const { axis, member } of plan.contexts.flatMap(({ members }) => members)) {
    used.add(partsOf(axis).prefix).add(partsOf(member ?? axis).prefix);
  }
  const hasMembers = plan.contexts.some(({ members }) => members.length > 0);
  const names = plan.frameworks.filter(({ prefix }) => used.has(prefix));
  return xmlParts({
    name: 'xbrli:xbrl',
    attributes: {
      'xmlns:xbrli': spaces.xbrli,
      'xmlns:link': spaces.link,
      'xmlns:xlink': spaces.xlink,
      'xmlns:iso4217': spaces.iso4217,
      ...(hasMembers ? { 'xmlns:xbrldi': spaces.xbrldi } : {}),
      ...Object.fromEntries(names.map(({ prefix, namespace }) => [`xmlns:${prefix}`, namespace])),
    },
    children: instanceElements(plan),
  });
}

/** The elements of the instance, each made when it is written. */
function* instanceElements(plan: XbrlPlan): Generator<XmlElement> {
  const domains = new Map(plan.concepts.map(({ qname, typedDomain }) => [qname, typedDomain]));
  yield xml('link:schemaRef', { 'xlink:type': 'simple', 'xlink:href': '../taxonomy/report.xsd' });
  for (const context of plan.contexts) yield contextElement(context, plan.entity, domains);
  for (const unit of plan.units) yield unitElement(unit);
  for (const fact of plan.facts) yield factElement(fact);
}

function factElement({ id, concept, context, unit, decimals, text }: PlannedFact): XmlElement {
  const attributes = {
    id,
    contextRef: context,
    unitRef: unit ?? undefined,
    decimals: unit === null ? undefined : (decimals ?? undefined),
  };
  return xml(concept, attributes, text);
}

function contextElement(
  { id, period, members }: PlannedContext,
  { scheme, identifier }: XbrlPlan['entity'],
  domains: ReadonlyMap<string, string | null>,
): XmlElement {
  const dates =
    'instant' in period
      ? [xml('xbrli:instant', {}, period.instant)]
      : [xml('xbrli:startDate', {}, period.start), xml('xbrli:endDate', {}, period.end)];
  const scenario = members.map(({ axis, member, typedValue }) => {
    if (member !== null) return xml('xbrldi:explicitMember', { dimension: axis }, member);
    const value = xml(`${partsOf(axis).prefix}:${domains.get(axis) ?? ''}`, {}, typedValue ?? '');
    return xml('xbrldi:typedMember', { dimension: axis }, value);
  });
  return xml(
    'xbrli:context',
    { id },
    xml('xbrli:entity', {}, xml('xbrli:identifier', { scheme }, identifier)),
    xml('xbrli:period', {}, dates),
    scenario.length === 0 ? [] : [xml('xbrli:scenario', {}, scenario)],
  );
}

function unitElement({ id, numerator, denominator }: PlannedUnit): XmlElement {
  const measure = (name: string): XmlElement => xml('xbrli:measure', {}, name);
  if (denominator === null) return xml('xbrli:unit', { id }, measure(numerator));
  return xml(
    'xbrli:unit',
    { id },
    xml(
      'xbrli:divide',
      {},
      xml('xbrli:unitNumerator', {}, measure(numerator)),
      xml('xbrli:unitDenominator', {}, measure(denominator)),
    ),
  );
}
