import { createHash } from 'node:crypto';
import {
  type BundleFact,
  type BundleMember,
  type BundlePeriod,
  type BundleStructure,
  periodKey,
  type ReportBundle,
  reportIri,
} from '../bundle/index.ts';
import { conceptIds, contextOf, type JsonLdContext } from './context.ts';
import { documentParts, type JsonLdNode, type LazyNode, nodeTexts, sortNodes } from './document.ts';
import { activityTypes, arcroles, labelRoles, measureOf } from './terms.ts';

/** The text of a report as JSON-LD, in parts. The same bundle always gives the same text (reporting G-5, X-9). */
export function writeJsonLd(bundle: ReportBundle): Iterable<string> {
  const { context, nodes } = jsonLdContent(bundle);
  return documentParts(context, nodeTexts(nodes, 4));
}

/** The context and the sorted nodes of the JSON-LD document of a report (reporting section 13). */
interface JsonLdContent {
  readonly context: JsonLdContext;
  readonly nodes: readonly LazyNode[];
}

export function jsonLdContent(bundle: ReportBundle): JsonLdContent {
  const names = namesOf(bundle);
  const others = otherNodes(bundle, names).map(
    (node): LazyNode => ({ id: node.id, type: node.type, make: () => node }),
  );
  const facts = bundle.facts.map((fact): LazyNode => {
    return { id: names.child('fact', fact.id), type: 'fin:Fact', make: () => factNode(fact, names) };
  });
  return { context: contextOf(bundle), nodes: sortNodes([...others, ...facts]) };
}

/** All nodes except those of the facts. */
function otherNodes(bundle: ReportBundle, names: Names): readonly JsonLdNode[] {
  return [
    reportNode(bundle, names),
    entityNode(bundle, names),
    ...bundle.columns.map(({ start, end, label }, index) => {
      return {
        id: names.column(index),
        type: 'fin:Column',
        startDate: start,
        endDate: end,
        prefLabel: label,
        order: String(index + 1),
      };
    }),
    ...bundle.frameworks.map(({ prefix, namespace }) => {
      return { id: names.child('framework', prefix), type: 'fin:Framework', identifier: prefix, namespace };
    }),
    ...elementNodes(bundle, names),
    ...bundle.structures.flatMap((structure, index) => structureNodes(structure, index, names)),
    ...aspectNodes(bundle, names),
    ...bundle.factSets.flatMap((set) => factSetNodes(set, names)),
    ...bundle.rules.map(({ id, name, pattern, expression, severity, variables }) => {
      return {
        id: names.child('rule', id),
        type: 'fin:Rule',
        prefLabel: name,
        rulePattern: pattern,
        ruleExpression: expression,
        severity,
        variables,
      };
    }),
    ...bundle.results.map(({ id, ruleId, structureId, factSetId, status, message, evaluatedAt }) => {
      return {
        id: names.child('result', id),
        type: 'fin:VerificationResult',
        rule: names.child('rule', ruleId),
        structure: [names.structure(structureId)],
        factSet: factSetId === null ? undefined : [names.factSet(factSetId)],
        status,
        message,
        evaluatedAt,
      };
    }),
  ];
}

interface Names {
  readonly report: string;
  child(kind: string, key: string): string;
  column(index: number): string;
  concept(qname: string): string;
  structure(id: string): string;
  factSet(id: string): string;
  period(period: BundlePeriod): string;
  dimension(member: BundleMember): string;
}

function namesOf(bundle: ReportBundle): Names {
  const report = reportIri(bundle);
  const child = (kind: string, key: string): string => `${report}/${kind}/${encodeURIComponent(key)}`;
  return {
    report,
    child,
    column: (index) => child('column', String(index + 1)),
    concept: conceptIds(bundle),
    structure: (id) => child('structure', id),
    factSet: (id) => child('factset', id),
    period: (period) => child('period', periodKey(period)),
    dimension: ({ axis, member, typedValue }) => {
      const digest = createHash('sha256')
        .update(JSON.stringify([axis, member, typedValue]))
        .digest('hex');
      return child('dimension', digest.slice(0, 32));
    },
  };
}

function reportNode({ base, report, entity, columns, structures }: ReportBundle, names: Names): JsonLdNode {
  const { supersedes } = report;
  return {
    id: names.report,
    type: 'fin:Report',
    serializationVersion: '1.0',
    mode: 'report',
    identifier: report.id,
    prefLabel: report.name,
    reportingStyle: report.style,
    entity: names.child('entity', entity.id),
    filingStatus: report.filingStatus,
    filedAt: report.filedAt,
    generation: report.generation,
    column: columns.map((_column, index) => names.column(index)),
    structure: structures.map(({ id }) => names.structure(id)).sort(),
    wasRevisionOf: supersedes === null ? undefined : reportIri({ base, report: { ...report, ...supersedes } }),
  };
}

function entityNode({ entity }: ReportBundle, names: Names): JsonLdNode {
  const { id, name, identifier, scheme } = entity;
  return { id: names.child('entity', id), type: 'fin:Entity', prefLabel: name, identifier, scheme };
}

function elementNodes({ concepts }: ReportBundle, names: Names): readonly JsonLdNode[] {
  return concepts.map((concept) => ({
    id: names.concept(concept.qname),
    type: 'fin:Element',
    identifier: concept.qname,
    prefLabel: concept.label,
    definition: concept.documentation,
    elementType: concept.elementType,
    itemType: concept.itemType,
    balance: concept.balance,
    periodType: concept.periodType,
    abstract: concept.isAbstract,
  }));
}

function structureNodes(structure: BundleStructure, index: number, names: Names): readonly JsonLdNode[] {
  const id = names.structure(structure.id);
  const counts = { presentation: 0, calculation: 0 };
  const associations = structure.arcs.map((arc): JsonLdNode => {
    counts[arc.kind] += 1;
    return {
      id: `${id}/${arc.kind}/${counts[arc.kind]}`,
      type: arc.kind === 'calculation' ? ['fin:Association', 'fin:CalculationAssociation'] : 'fin:Association',
      associationType: arc.kind,
      arcrole: arcroles[arc.kind],
      from: names.concept(arc.from),
      to: names.concept(arc.to),
      order: String(arc.order),
      weight: arc.weight === null ? undefined : String(arc.weight),
      preferredLabel: arc.preferredLabel === null ? undefined : labelRoles[arc.preferredLabel],
    };
  });
  const { name, blockType, conceptArrangement, checks, failures, warnings } = structure;
  const arrangement = conceptArrangement === null ? [] : [`fin:${pascalCase(conceptArrangement)}`];
  const types = ['fin:Structure', ...arrangement];
  return [
    {
      id,
      type: types.length === 1 ? 'fin:Structure' : types.sort(),
      identifier: structure.id,
      prefLabel: name,
      blockType,
      conceptArrangement,
      order: String(index + 1),
      hasAssociation: filled(sortNodes(associations).map((association) => association.id)),
      check: filled(checks),
      failure: filled(failures),
      warning: filled(warnings),
    },
    ...associations,
  ];
}

function pascalCase(name: string): string {
  const words = name.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  return words.map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`).join('');
}

/** An empty list says nothing, and a reader of RDF cannot tell it from a missing one. */
function filled(texts: readonly string[]): readonly string[] | undefined {
  return texts.length === 0 ? undefined : texts;
}

/** The nodes that facts share: their periods, units and dimensions. */
function aspectNodes({ facts }: ReportBundle, names: Names): readonly JsonLdNode[] {
  const nodes = new Map<string, JsonLdNode>();
  const add = (node: JsonLdNode): void => void nodes.set(node.id, node);
  const units = new Set(facts.flatMap(({ unit }) => unit ?? []));
  for (const unit of units) {
    add({ id: names.child('unit', unit), type: 'fin:Unit', identifier: unit, measure: measureOf(unit) });
  }
  for (const { period, members } of facts) {
    add(periodNode(period, names));
    for (const member of members) add(dimensionNode(member, names));
  }
  return [...nodes.values()];
}

function periodNode(period: BundlePeriod, names: Names): JsonLdNode {
  const dates = 'instant' in period ? period : { startDate: period.start, endDate: period.end };
  return { id: names.period(period), type: 'fin:Period', ...dates };
}

function dimensionNode(member: BundleMember, names: Names): JsonLdNode {
  return {
    id: names.dimension(member),
    type: 'fin:Dimension',
    axis: names.concept(member.axis),
    member: member.member === null ? undefined : names.concept(member.member),
    typedValue: member.typedValue,
  };
}

function factNode(fact: BundleFact, names: Names): JsonLdNode {
  return {
    id: names.child('fact', fact.id),
    type: 'fin:Fact',
    element: names.concept(fact.concept),
    entity: names.child('entity', fact.entityId),
    period: names.period(fact.period),
    dimension: filled(fact.members.map((member) => names.dimension(member)).sort()),
    factSet: fact.factSetIds.map((id) => names.factSet(id)),
    factType: fact.value === null ? 'Nonnumeric' : 'Numeric',
    unit: fact.unit === null ? undefined : names.child('unit', fact.unit),
    numericValue: fact.value,
    decimals: fact.decimals,
    stringValue: fact.text,
    contentType: fact.contentType,
  };
}

function factSetNodes(
  { id, structureId, origin, startedAt, agent, used }: ReportBundle['factSets'][number],
  names: Names,
): readonly JsonLdNode[] {
  const activity = names.child('activity', id);
  const type = activityTypes[origin];
  return [
    {
      id: names.factSet(id),
      type: 'fin:FactSet',
      identifier: id,
      structure: structureId === null ? undefined : [names.structure(structureId)],
      wasGeneratedBy: activity,
    },
    {
      id: activity,
      type: type === undefined ? 'prov:Activity' : [type, 'prov:Activity'].sort(),
      origin,
      startedAtTime: startedAt,
      wasAssociatedWith: agent === null ? undefined : `urn:user:${encodeURIComponent(agent)}`,
      used: filled(used),
    },
  ];
}
