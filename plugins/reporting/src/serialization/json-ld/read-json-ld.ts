import {
  type ArcKind,
  type BundleArc,
  type BundleStructure,
  compareText,
  type PreferredLabel,
  type ReportBundle,
} from '../bundle/index.ts';
import { baseOf } from './context.ts';
import type { JsonLdNode } from './document.ts';
import { DocumentReader } from './document-reader.ts';
import { lastPart, list, optional, textOf } from './node-fields.ts';
import { NodeIndex } from './node-index.ts';
import { FactAspects, factOf, type StoredFactNode, storedFact, TextPool } from './read-facts.ts';
import { labelRoles } from './terms.ts';

/**
 * The bundle of a document that this service wrote, from the parts of its text. What the document holds is the report as
 * it was generated, so every other format is made from it and not from rows that may have changed since (reporting P-16).
 * Neither the text nor its nodes are ever in memory as a whole. Throws for other documents.
 */
export async function readJsonLd(parts: AsyncIterable<Uint8Array>): Promise<ReportBundle> {
  const document = new DocumentReader(parts);
  try {
    return await readDocument(document);
  } finally {
    await document.close();
  }
}

async function readDocument(document: DocumentReader): Promise<ReportBundle> {
  const base = baseOf(await document.context());
  if (base === undefined) throw new Error('The document has the context of another service.');
  const nodes = new NodeIndex();
  const facts: StoredFactNode[] = [];
  const pool = new TextPool();
  for await (const node of document.nodes()) {
    if (node.type === 'fin:Fact') facts.push(storedFact(node, pool));
    else nodes.add(node);
  }
  return bundleOf(base, nodes, facts);
}

function bundleOf(base: string, nodes: NodeIndex, facts: readonly StoredFactNode[]): ReportBundle {
  const aspects = new FactAspects(nodes);
  const [report] = nodes.ofType('fin:Report');
  if (report === undefined) throw new Error('The document has no report.');
  const entity = nodes.at(textOf(report, 'entity'));
  const supersedes = optional(report, 'wasRevisionOf')?.split('/').slice(-2);
  return {
    base,
    report: {
      id: textOf(report, 'identifier'),
      generation: Number(report['generation']),
      name: textOf(report, 'prefLabel'),
      style: optional(report, 'reportingStyle') ?? null,
      filingStatus: optional(report, 'filingStatus') === 'filed' ? 'filed' : 'draft',
      filedAt: optional(report, 'filedAt') ?? null,
      supersedes: supersedes === undefined ? null : { id: supersedes[0] ?? '', generation: Number(supersedes[1]) },
    },
    entity: {
      id: lastPart(entity.id),
      name: textOf(entity, 'prefLabel'),
      scheme: textOf(entity, 'scheme'),
      identifier: textOf(entity, 'identifier'),
    },
    frameworks: nodes
      .ofType('fin:Framework')
      .map((node) => ({ prefix: textOf(node, 'identifier'), namespace: optional(node, 'namespace') ?? null })),
    columns: inOrder(nodes.ofType('fin:Column')).map((node) => {
      return { start: textOf(node, 'startDate'), end: textOf(node, 'endDate'), label: textOf(node, 'prefLabel') };
    }),
    concepts: nodes.ofType('fin:Element').map(conceptOf).sort(byQname),
    structures: inOrder(nodes.ofType('fin:Structure')).map((node) => structureOf(node, nodes)),
    facts: facts.map((fact) => factOf(fact, aspects)).sort(byId),
    factSets: nodes
      .ofType('fin:FactSet')
      .map((node) => factSetOf(node, nodes))
      .sort(byId),
    rules: nodes.ofType('fin:Rule').map(ruleOf).sort(byId),
    results: nodes.ofType('fin:VerificationResult').map(resultOf).sort(byId),
  };
}

function byId(a: { readonly id: string }, b: { readonly id: string }): number {
  return compareText(a.id, b.id);
}

function byQname(a: { readonly qname: string }, b: { readonly qname: string }): number {
  return compareText(a.qname, b.qname);
}

function inOrder(nodes: readonly JsonLdNode[]): readonly JsonLdNode[] {
  return [...nodes].sort((a, b) => Number(a['order']) - Number(b['order']));
}

function conceptOf(node: JsonLdNode): ReportBundle['concepts'][number] {
  const balance = optional(node, 'balance');
  const elementType = textOf(node, 'elementType');
  return {
    qname: textOf(node, 'identifier'),
    label: textOf(node, 'prefLabel'),
    documentation: optional(node, 'definition') ?? null,
    elementType: elementTypes.find((type) => type === elementType) ?? 'concept',
    itemType: optional(node, 'itemType') ?? null,
    balance: balance === 'debit' || balance === 'credit' ? balance : null,
    periodType: optional(node, 'periodType') === 'instant' ? 'instant' : 'duration',
    isAbstract: node['abstract'] === true,
  };
}

const elementTypes = ['concept', 'abstract', 'axis', 'member', 'hypercube'] as const;

const rolesByIri = new Map(Object.entries(labelRoles).map(([role, iri]) => [iri, role as PreferredLabel])); // Its keys.

function structureOf(node: JsonLdNode, nodes: NodeIndex): BundleStructure {
  const arcs = list(node, 'hasAssociation').map((id) => arcOf(nodes.at(id), nodes));
  // The ids of presentations and of calculations are each in print order.
  const ordered = kinds.flatMap((kind) => arcs.filter((arc) => arc.kind === kind));
  return {
    id: textOf(node, 'identifier'),
    name: textOf(node, 'prefLabel'),
    blockType: textOf(node, 'blockType'),
    conceptArrangement: optional(node, 'conceptArrangement') ?? null,
    arcs: ordered,
    checks: list(node, 'check'),
    failures: list(node, 'failure'),
    warnings: list(node, 'warning'),
  };
}

const kinds: readonly ArcKind[] = ['presentation', 'calculation'];

function arcOf(node: JsonLdNode, nodes: NodeIndex): BundleArc {
  const weight = optional(node, 'weight');
  return {
    kind: optional(node, 'associationType') === 'calculation' ? 'calculation' : 'presentation',
    from: nodes.qname(textOf(node, 'from')),
    to: nodes.qname(textOf(node, 'to')),
    order: Number(textOf(node, 'order')),
    weight: weight === undefined ? null : Number(weight),
    preferredLabel: rolesByIri.get(optional(node, 'preferredLabel') ?? '') ?? null,
  };
}

function factSetOf(node: JsonLdNode, nodes: NodeIndex): ReportBundle['factSets'][number] {
  const activity = nodes.at(textOf(node, 'wasGeneratedBy'));
  const [structure] = list(node, 'structure');
  const agent = optional(activity, 'wasAssociatedWith');
  return {
    id: textOf(node, 'identifier'),
    structureId: structure === undefined ? null : lastPart(structure),
    origin: textOf(activity, 'origin'),
    startedAt: textOf(activity, 'startedAtTime'),
    agent: agent === undefined ? null : decodeURIComponent(agent.slice('urn:user:'.length)),
    used: list(activity, 'used'),
  };
}

function ruleOf(node: JsonLdNode): ReportBundle['rules'][number] {
  return {
    id: lastPart(node.id),
    name: textOf(node, 'prefLabel'),
    pattern: textOf(node, 'rulePattern'),
    expression: textOf(node, 'ruleExpression'),
    severity: textOf(node, 'severity'),
    variables: list(node, 'variables'),
  };
}

function resultOf(node: JsonLdNode): ReportBundle['results'][number] {
  const [structure = ''] = list(node, 'structure');
  const [factSet] = list(node, 'factSet');
  return {
    id: lastPart(node.id),
    ruleId: lastPart(textOf(node, 'rule')),
    structureId: lastPart(structure),
    factSetId: factSet === undefined ? null : lastPart(factSet),
    status: textOf(node, 'status'),
    message: optional(node, 'message') ?? null,
    evaluatedAt: textOf(node, 'evaluatedAt'),
  };
}
