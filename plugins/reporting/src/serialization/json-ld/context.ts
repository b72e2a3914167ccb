import type { BundleFramework, ReportBundle } from '../bundle/index.ts';

/** The context of a document: a term for each key that the service writes (reporting 13.2). */
export type JsonLdContext = Readonly<Record<string, unknown>>;

const iri = (id: string) => ({ '@id': id, '@type': '@id' });
const iris = (id: string) => ({ '@id': id, '@type': '@id', '@container': '@set' });
const texts = (id: string) => ({ '@id': id, '@container': '@set' });
const typed = (id: string, type: string) => ({ '@id': id, '@type': type });

/** The end of the address of the terms of the service. */
const vocabularyPath = '/fin/v1#';

const vocabularies = {
  xbrli: 'http://www.xbrl.org/2003/instance#',
  link: 'http://www.xbrl.org/2003/linkbase#',
  xlink: 'http://www.w3.org/1999/xlink#',
  iso4217: 'http://www.xbrl.org/2003/iso4217#',
  skos: 'http://www.w3.org/2004/02/skos/core#',
  prov: 'http://www.w3.org/ns/prov#',
  dcterms: 'http://purl.org/dc/terms/',
  xsd: 'http://www.w3.org/2001/XMLSchema#',
};

const terms = {
  id: '@id',
  type: '@type',
  element: iri('fin:element'),
  entity: iri('fin:entity'),
  period: iri('fin:period'),
  unit: iri('fin:unit'),
  dimension: iris('fin:dimension'),
  factSet: iris('fin:factSet'),
  numericValue: typed('fin:numericValue', 'xsd:decimal'),
  stringValue: 'fin:stringValue',
  decimals: 'fin:decimals',
  factType: 'fin:factType',
  contentType: 'fin:contentType',
  instant: typed('xbrli:instant', 'xsd:date'),
  startDate: typed('xbrli:startDate', 'xsd:date'),
  endDate: typed('xbrli:endDate', 'xsd:date'),
  measure: iri('xbrli:measure'),
  balance: 'xbrli:balance',
  periodType: 'xbrli:periodType',
  axis: iri('fin:axis'),
  member: iri('fin:member'),
  typedValue: 'fin:typedValue',
  from: iri('xlink:from'),
  to: iri('xlink:to'),
  arcrole: iri('xlink:arcrole'),
  order: typed('link:order', 'xsd:decimal'),
  weight: typed('link:weight', 'xsd:decimal'),
  preferredLabel: iri('fin:preferredLabel'),
  associationType: 'fin:associationType',
  structure: iris('fin:structure'),
  hasAssociation: iris('fin:hasAssociation'),
  roleUri: iri('fin:roleUri'),
  blockType: 'fin:blockType',
  conceptArrangement: 'fin:conceptArrangement',
  check: texts('fin:check'),
  failure: texts('fin:failure'),
  warning: texts('fin:warning'),
  prefLabel: { '@id': 'skos:prefLabel', '@language': 'en' },
  definition: { '@id': 'skos:definition', '@language': 'en' },
  identifier: 'dcterms:identifier',
  scheme: iri('fin:scheme'),
  namespace: typed('fin:namespace', 'xsd:anyURI'),
  elementType: 'fin:elementType',
  itemType: 'fin:itemType',
  abstract: typed('fin:abstract', 'xsd:boolean'),
  filingStatus: 'fin:filingStatus',
  generation: typed('fin:generation', 'xsd:integer'),
  filedAt: typed('fin:filedAt', 'xsd:dateTime'),
  mode: 'fin:mode',
  serializationVersion: 'fin:serializationVersion',
  reportingStyle: 'fin:reportingStyle',
  column: iris('fin:column'),
  wasGeneratedBy: iri('prov:wasGeneratedBy'),
  wasAssociatedWith: iri('prov:wasAssociatedWith'),
  used: iris('prov:used'),
  startedAtTime: typed('prov:startedAtTime', 'xsd:dateTime'),
  wasRevisionOf: iri('prov:wasRevisionOf'),
  origin: 'fin:origin',
  rule: iri('fin:rule'),
  rulePattern: 'fin:rulePattern',
  ruleExpression: 'fin:ruleExpression',
  severity: 'fin:severity',
  variables: { '@id': 'fin:variables', '@container': '@list' },
  status: 'fin:status',
  message: 'fin:message',
  evaluatedAt: typed('fin:evaluatedAt', 'xsd:dateTime'),
};

function fixedTerms(base: string): JsonLdContext {
  return { '@version': 1.1, fin: `${base}${vocabularyPath}`, ...vocabularies, ...terms };
}

/** The context of a bundle: the fixed terms, and the prefixes of its own taxonomies (reporting X-2). */
export function contextOf({ base, frameworks }: Pick<ReportBundle, 'base' | 'frameworks'>): JsonLdContext {
  const fixed = fixedTerms(base);
  const prefixes = frameworks.flatMap((framework) => {
    return isPrefix(fixed, framework) ? [[framework.prefix, conceptSpace(framework.namespace)]] : [];
  });
  return { ...fixed, ...Object.fromEntries(prefixes) };
}

/** The address of the vocabulary that a context was made for; undefined for the context of another service. */
export function baseOf(context: JsonLdContext): string | undefined {
  const vocabulary = context['fin'];
  if (typeof vocabulary !== 'string' || !vocabulary.endsWith(vocabularyPath)) return undefined;
  return vocabulary.slice(0, -vocabularyPath.length);
}

/** The identifiers of concepts as a document writes them: compact where the context has their prefix. */
export function conceptIds({ base, frameworks }: Pick<ReportBundle, 'base' | 'frameworks'>): (qname: string) => string {
  const fixed = fixedTerms(base);
  const known = new Map(frameworks.map((framework) => [framework.prefix, framework]));
  return (qname) => {
    const colon = qname.indexOf(':');
    const framework = known.get(qname.slice(0, colon));
    if (framework === undefined || framework.namespace === null) return `${base}/concept/${qname}`;
    return isPrefix(fixed, framework) ? qname : `${conceptSpace(framework.namespace)}${qname.slice(colon + 1)}`;
  };
}

/** A prefix that is a term of the context would change the meaning of the term. */
function isPrefix(
  fixed: JsonLdContext,
  framework: BundleFramework,
): framework is BundleFramework & { readonly namespace: string } {
  return framework.namespace !== null && !Object.hasOwn(fixed, framework.prefix);
}

function conceptSpace(namespace: string): string {
  return /[#/]$/.test(namespace) ? namespace : `${namespace}/`;
}
