import { conceptLabel, dimensionArcroles, negatedRoles, spaces, standardRole } from './namespaces.ts';
import type { PlannedArc, PlannedConcept, PlannedRole, XbrlPlan } from './plan.ts';
import { conceptId, type LinkbaseFile, labelRoleOf, schemaFile } from './write-schemas.ts';
import { type XmlElement, xml, xmlText } from './xml.ts';

type ArcKind = 'presentation' | 'calculation' | 'definition';

const files: Readonly<Record<LinkbaseFile['kind'], string>> = {
  presentation: 'report-pre.xml',
  calculation: 'report-cal.xml',
  definition: 'report-def.xml',
  label: 'report-lab.xml',
};

/** The linkbases that have content, with their texts (reporting 14.3). */
export function writeLinkbases(plan: XbrlPlan): readonly (LinkbaseFile & { readonly text: string })[] {
  const concepts = new Map(plan.concepts.map((concept) => [concept.qname, concept]));
  const kinds: readonly ArcKind[] = ['presentation', 'calculation', 'definition'];
  const networks = kinds
    .filter((kind) => plan.roles.some((role) => arcsOf(role, kind).length > 0))
    .map((kind) => ({ kind, file: files[kind], text: networkLinkbase(plan, kind, concepts) }));
  return [...networks, { kind: 'label', file: files.label, text: labelLinkbase(plan.concepts) }];
}

/** The arcs of a role in the linkbase of a kind. */
export function arcsOf(role: PlannedRole, kind: ArcKind): readonly PlannedArc[] {
  return kind === 'definition' ? role.dimensions : role[kind];
}

function linkbase(
  attributes: Readonly<Record<string, string>>,
  ...children: readonly (readonly XmlElement[])[]
): string {
  const names = { 'xmlns:link': spaces.link, 'xmlns:xlink': spaces.xlink };
  return xmlText(xml('link:linkbase', { ...names, ...attributes }, ...children));
}

function networkLinkbase(plan: XbrlPlan, kind: ArcKind, concepts: ReadonlyMap<string, PlannedConcept>): string {
  const used = plan.roles.filter((role) => arcsOf(role, kind).length > 0);
  const isNegated = used.some((role) => {
    return arcsOf(role, kind).some(({ preferredLabel }) => preferredLabel?.startsWith('negated'));
  });
  return linkbase(
    kind === 'definition' ? { 'xmlns:xbrldt': spaces.xbrldt } : {},
    used.map(({ uri, id }) => roleReference(uri, `report.xsd#${id}`)),
    isNegated ? negatedReferences(used.flatMap((role) => arcsOf(role, kind).map((arc) => arc.preferredLabel))) : [],
    kind === 'definition' ? Object.values(dimensionArcroles).map(arcroleReference) : [],
    used.map((role) => extendedLink(role, kind, concepts)),
  );
}

function roleReference(uri: string, href: string): XmlElement {
  return xml('link:roleRef', { roleURI: uri, 'xlink:type': 'simple', 'xlink:href': href });
}

function arcroleReference(uri: string): XmlElement {
  const fragment = uri.slice(uri.lastIndexOf('/') + 1);
  return xml('link:arcroleRef', {
    arcroleURI: uri,
    'xlink:type': 'simple',
    'xlink:href': `http://www.xbrl.org/2005/xbrldt-2005.xsd#${fragment}`,
  });
}

function negatedReferences(labels: readonly (PlannedArc['preferredLabel'] | string)[]): readonly XmlElement[] {
  const used = new Set(labels.filter((label) => label?.startsWith('negated') === true));
  return [...used].sort().map((label) => {
    return roleReference(`${negatedRoles.space}${label}Label`, `${negatedRoles.schema}#${label}Label`);
  });
}

function extendedLink(role: PlannedRole, kind: ArcKind, concepts: ReadonlyMap<string, PlannedConcept>): XmlElement {
  const { locators, arcs } = locate(arcsOf(role, kind));
  return xml(
    `link:${kind}Link`,
    { 'xlink:type': 'extended', 'xlink:role': role.uri },
    locators.map(({ label, qname }) => locator(label, concepts.get(qname))),
    arcs.map(({ arc, from, to }) => {
      return xml(`link:${kind}Arc`, {
        'xlink:type': 'arc',
        'xlink:arcrole': arc.arcrole,
        'xlink:from': from,
        'xlink:to': to,
        order: String(arc.order),
        weight: arc.weight === undefined ? undefined : String(arc.weight),
        preferredLabel: arc.preferredLabel === undefined ? undefined : labelRoleOf(arc.preferredLabel),
        'xbrldt:contextElement': arc.isHypercube === true ? 'scenario' : undefined,
        'xbrldt:closed': arc.isHypercube === true ? 'true' : undefined,
      });
    }),
  );
}

function locator(label: string, concept: PlannedConcept | undefined): XmlElement {
  if (concept === undefined) throw new Error(`The locator '${label}' names no concept.`);
  const href = `${schemaFile(concept.prefix)}#${conceptId(concept)}`;
  return xml('link:loc', { 'xlink:type': 'locator', 'xlink:href': href, 'xlink:label': label });
}

/** The arcs of an extended link between locators. */
interface LocatedArcs {
  readonly locators: readonly { readonly label: string; readonly qname: string }[];
  readonly arcs: readonly { readonly arc: PlannedArc; readonly from: string; readonly to: string }[];
}

/** No two arcs of a link have the same ends, so a concept that is repeated has more than one locator (reporting X-27). */
export function locate(arcs: readonly PlannedArc[]): LocatedArcs {
  const labels = new Map<string, string>();
  const pairs = new Set<string>();
  const labelOf = (qname: string, number: number): string => {
    const label = `loc${number === 1 ? '' : number}_${qname.replace(':', '_')}`;
    labels.set(label, qname);
    return label;
  };
  const located = arcs.map((arc) => {
    const from = labelOf(arc.from, 1);
    let number = 1;
    while (pairs.has(`${from} ${arc.to} ${number}`)) number += 1;
    pairs.add(`${from} ${arc.to} ${number}`);
    return { arc, from, to: labelOf(arc.to, number) };
  });
  return { locators: [...labels].map(([label, qname]) => ({ label, qname })), arcs: located };
}

function labelLinkbase(concepts: readonly PlannedConcept[]): string {
  const roles = concepts.flatMap(({ labels }) => labels.map(({ role }) => role));
  const link = xml(
    'link:labelLink',
    { 'xlink:type': 'extended', 'xlink:role': standardRole },
    concepts.flatMap((concept) => labelsOf(concept)),
  );
  return linkbase({}, negatedReferences(roles), [link]);
}

function labelsOf(concept: PlannedConcept): readonly XmlElement[] {
  const name = conceptId(concept);
  return [
    locator(`loc_${name}`, concept),
    ...concept.labels.flatMap(({ role, text }) => {
      const resource = `lab_${name}_${role}`;
      return [
        xml(
          'link:label',
          {
            'xlink:type': 'resource',
            'xlink:label': resource,
            'xlink:role': labelRoleOf(role),
            'xml:lang': 'en',
          },
          text,
        ),
        xml('link:labelArc', {
          'xlink:type': 'arc',
          'xlink:arcrole': conceptLabel,
          'xlink:from': `loc_${name}`,
          'xlink:to': resource,
        }),
      ];
    }),
  ];
}
