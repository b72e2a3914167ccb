import { labelRoles } from '../json-ld/index.ts';
import { linkbaseArcrole, schemaLocations, spaces } from './namespaces.ts';
import type { PlannedConcept, PlannedRole, XbrlPlan } from './plan.ts';
import { reportPrefix } from './plan-concepts.ts';
import { type XmlElement, xml, xmlText } from './xml.ts';

/** A linkbase of the package: its file, and the end of the role of its reference. */
export interface LinkbaseFile {
  readonly file: string;
  readonly kind: 'presentation' | 'calculation' | 'definition' | 'label';
}

/** The id of a concept in the schema that declares it. */
export function conceptId({ prefix, local }: Pick<PlannedConcept, 'prefix' | 'local'>): string {
  return `${prefix}_${local}`;
}

/** The file of the schema of a prefix. */
export function schemaFile(prefix: string): string {
  return prefix === reportPrefix ? 'report.xsd' : `${prefix}.xsd`;
}

/** The entry point: roles, references to the linkbases, and concepts that only the report needs (reporting X-25). */
export function reportSchema(plan: XbrlPlan, linkbases: readonly LinkbaseFile[]): string {
  const concepts = plan.concepts.filter(({ prefix }) => prefix === reportPrefix);
  return xmlText(
    xml(
      'xs:schema',
      { ...schemaAttributes(concepts), [`xmlns:${reportPrefix}`]: plan.space, targetNamespace: plan.space },
      xml('xs:annotation', {}, xml('xs:appinfo', {}, plan.roles.map(roleType), linkbases.map(linkbaseReference))),
      imports(concepts),
      plan.frameworks.map(({ prefix, namespace }) => {
        return xml('xs:import', { namespace, schemaLocation: schemaFile(prefix) });
      }),
      concepts.flatMap(declarations),
    ),
  );
}

/** The schema of the concepts of one namespace (reporting X-22). */
export function frameworkSchema(plan: XbrlPlan, { prefix, namespace }: XbrlPlan['frameworks'][number]): string {
  const concepts = plan.concepts.filter((concept) => concept.prefix === prefix);
  return xmlText(
    xml(
      'xs:schema',
      { ...schemaAttributes(concepts), [`xmlns:${prefix}`]: namespace, targetNamespace: namespace },
      imports(concepts),
      concepts.flatMap(declarations),
    ),
  );
}

function schemaAttributes(concepts: readonly PlannedConcept[]): Readonly<Record<string, string>> {
  return {
    'xmlns:xs': spaces.xs,
    'xmlns:xbrli': spaces.xbrli,
    'xmlns:link': spaces.link,
    'xmlns:xlink': spaces.xlink,
    ...(usesDimensions(concepts) ? { 'xmlns:xbrldt': spaces.xbrldt } : {}),
    ...(usesTypes(concepts) ? { 'xmlns:dtr': spaces.dtr } : {}),
    elementFormDefault: 'qualified',
    attributeFormDefault: 'unqualified',
  };
}

function usesDimensions(concepts: readonly PlannedConcept[]): boolean {
  return concepts.some(({ substitutionGroup }) => substitutionGroup !== 'xbrli:item');
}

function usesTypes(concepts: readonly PlannedConcept[]): boolean {
  return concepts.some(({ type }) => type.startsWith('dtr:'));
}

function imports(concepts: readonly PlannedConcept[]): readonly XmlElement[] {
  const used = [
    'xbrli' as const,
    ...(usesDimensions(concepts) ? ['xbrldt' as const] : []),
    ...(usesTypes(concepts) ? ['dtr' as const] : []),
  ];
  return used.map((name) => xml('xs:import', { namespace: spaces[name], schemaLocation: schemaLocations[name] }));
}

function declarations(concept: PlannedConcept): readonly XmlElement[] {
  const { local, type, substitutionGroup, periodType, balance, isAbstract, typedDomain } = concept;
  const declared = xml('xs:element', {
    id: conceptId(concept),
    name: local,
    type,
    substitutionGroup,
    abstract: isAbstract ? 'true' : undefined,
    nillable: 'true',
    'xbrli:periodType': periodType,
    'xbrli:balance': balance ?? undefined,
    'xbrldt:typedDomainRef': typedDomain === null ? undefined : `#${concept.prefix}_${typedDomain}`,
  });
  if (typedDomain === null) return [declared];
  return [
    declared,
    xml('xs:element', { id: `${concept.prefix}_${typedDomain}`, name: typedDomain, type: 'xs:string' }),
  ];
}

function roleType({ id, uri, definition, presentation, calculation, dimensions }: PlannedRole): XmlElement {
  const used = [
    ...(presentation.length > 0 ? ['link:presentationLink'] : []),
    ...(calculation.length > 0 ? ['link:calculationLink'] : []),
    ...(dimensions.length > 0 ? ['link:definitionLink'] : []),
  ];
  return xml(
    'link:roleType',
    { roleURI: uri, id },
    xml('link:definition', {}, definition),
    used.map((name) => xml('link:usedOn', {}, name)),
  );
}

function linkbaseReference({ file, kind }: LinkbaseFile): XmlElement {
  return xml('link:linkbaseRef', {
    'xlink:type': 'simple',
    'xlink:href': file,
    'xlink:role': `http://www.xbrl.org/2003/role/${kind}LinkbaseRef`,
    'xlink:arcrole': linkbaseArcrole,
  });
}

/** The role of a label. */
export function labelRoleOf(role: PlannedConcept['labels'][number]['role']): string {
  if (role === 'standard') return 'http://www.xbrl.org/2003/role/label';
  return role === 'documentation' ? 'http://www.xbrl.org/2003/role/documentation' : labelRoles[role];
}
