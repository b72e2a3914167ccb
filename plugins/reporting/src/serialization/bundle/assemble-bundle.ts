import type { FactMember, Rule, StoredFact, StoredFactSet, VerificationResult } from '@pacioli/blocks';
import type { EntityRow } from '@pacioli/ledger';
import type { ConnectionPart, ElementPart, StructurePart } from '@pacioli/taxonomy';
import { preferredLabelOf } from '../../statement-facts/index.ts';
import {
  type BundleConcept,
  type BundleEntity,
  type BundleFact,
  type BundleFactSet,
  type BundleReport,
  type BundleRule,
  type BundleStructure,
  compareText,
  type ReportBundle,
} from './bundle.ts';
import { nameConcepts } from './concept-names.ts';
import { axesOf, bundleFacts } from './facts.ts';
import { networkArcs } from './networks.ts';

/** The findings of a statement of the report. */
export interface StatementFindings {
  readonly structure_id: string;
  readonly validation: Pick<BundleStructure, 'checks' | 'failures' | 'warnings'>;
}

/** The rows that a bundle is made from. */
export interface BundleSource {
  readonly base: string;
  readonly report: BundleReport;
  readonly columns: ReportBundle['columns'];
  readonly entity: Pick<EntityRow, 'id' | 'cik' | 'lei'> & { readonly name: string };
  readonly createdBy: string;
  readonly sets: readonly StoredFactSet[];
  readonly facts: readonly StoredFact[];
  /** True to keep what totals have besides their parts, which the file of a report does not say. */
  readonly hasDirectAmounts?: true;
  /** Concepts whose places structures keep although they have no fact here, by structure. */
  readonly reportedElsewhere?: ReadonlyMap<string, Iterable<string>>;
  readonly members: readonly (FactMember & { readonly factId: string })[];
  readonly structures: ReadonlyMap<string, StructurePart>;
  readonly connections: readonly ConnectionPart[];
  readonly elements: ReadonlyMap<string, ElementPart>;
  /** The namespaces of the elements, by id; null without one. */
  readonly namespaces: ReadonlyMap<string, string | null>;
  isShared(elementId: string): boolean;
  readonly statements: readonly StatementFindings[];
  readonly rules: readonly Rule[];
  readonly results: readonly VerificationResult[];
  /** The signs of the changes of balances by element id, for roll-forwards of the library, by structure. */
  readonly rollForwards: ReadonlyMap<string, ReadonlyMap<string, ReadonlyMap<string, number>>>;
}

/** The place of a structure among the others of its report, by block type (reporting P-24). */
const displayOrder: Readonly<Record<string, number>> = {
  balance_sheet: 1,
  income_statement: 2,
  cash_flow_statement: 3,
  equity_statement: 4,
  schedule: 100,
};
const otherDisplayOrder = 50;

/** Makes the bundle of a report; pure. Facts without a value and a text are left out, because no format can say them. */
export function assembleBundle(source: BundleSource): ReportBundle {
  const extra = axesOf(source.members);
  const names = nameConcepts([
    ...[...source.elements.values()].map(({ id, qname }) => {
      return { id, qname, namespace: source.namespaces.get(id) ?? null, isShared: source.isShared(id) };
    }),
    ...extra.map(({ id, concept }) => ({ id, qname: concept.qname, namespace: null, isShared: false })),
  ]);
  const nameOf = (elementId: string): string => {
    const name = names.qnames.get(elementId);
    if (name === undefined) throw new Error(`The report has a fact about the unknown element '${elementId}'.`);
    return name;
  };
  const concepts = [...source.elements.values()].map((element) => conceptOf(element, nameOf(element.id)));
  const named = new Map(concepts.map((concept) => [concept.qname, concept]));
  const facts = bundleFacts({ ...source, nameOf });
  const structures = structuresOf(source, { nameOf, named, facts });
  const used = usedConcepts(structures, facts);
  const all = [...concepts, ...extra.map(({ id, concept }) => ({ ...concept, qname: nameOf(id) }))];
  const kept = all.filter(({ qname }) => used.has(qname)).sort((a, b) => compareText(a.qname, b.qname));
  const prefixes = new Set(kept.map(({ qname }) => qname.slice(0, qname.indexOf(':'))));
  return {
    base: source.base,
    report: source.report,
    entity: entityOf(source),
    frameworks: names.frameworks.filter(({ prefix }) => prefixes.has(prefix)),
    columns: source.columns,
    concepts: kept,
    structures,
    facts,
    factSets: source.sets.map((set) => factSetOf(set, source.createdBy)).sort(byId),
    rules: source.rules.map((rule) => ruleOf(rule, names.qnames)).sort(byId),
    results: source.results.map(resultOf).sort(byId),
  };
}

function byId(a: { readonly id: string }, b: { readonly id: string }): number {
  return compareText(a.id, b.id);
}

function entityOf({ base, entity }: BundleSource): BundleEntity {
  const { id, name, cik, lei } = entity;
  if (lei !== null && /^[A-Z0-9]{18}[0-9]{2}$/.test(lei)) {
    return { id, name, scheme: 'http://standards.iso.org/iso/17442', identifier: lei };
  }
  if (cik !== null && /^[0-9]{1,10}$/.test(cik)) {
    return { id, name, scheme: 'http://www.sec.gov/CIK', identifier: cik.padStart(10, '0') };
  }
  return { id, name, scheme: `${base}/entity`, identifier: id };
}

function conceptOf(element: ElementPart, qname: string): BundleConcept {
  const { name, description, itemType, balanceType, periodType, isAbstract, isMonetary, elementType } = element;
  const isText = itemType === 'text' || itemType === 'text_block';
  return {
    qname,
    label: name,
    documentation: description,
    elementType: isAbstract && elementType === 'concept' ? 'abstract' : elementType,
    itemType: itemType ?? (isMonetary && !isAbstract ? 'monetary' : null),
    balance: isAbstract || isText ? null : balanceType,
    periodType,
    isAbstract,
  };
}

interface Assembled {
  readonly nameOf: (id: string) => string;
  readonly named: ReadonlyMap<string, BundleConcept>;
  readonly facts: readonly BundleFact[];
}

function structuresOf(source: BundleSource, { nameOf, named, facts }: Assembled): readonly BundleStructure[] {
  const findings = new Map(source.statements.map(({ structure_id, validation }) => [structure_id, validation]));
  const structures = source.sets.flatMap((set) => source.structures.get(set.structureId ?? '') ?? []);
  return [...new Set(structures)].sort(byDisplay).map(({ id, name, blockType, conceptArrangement }) => {
    const setIds = new Set(source.sets.filter(({ structureId }) => structureId === id).map((set) => set.id));
    const reported = facts.filter(({ factSetIds }) => factSetIds.some((setId) => setIds.has(setId)));
    const arcs = source.connections.filter(({ structureId }) => structureId === id);
    const found = findings.get(id);
    return {
      id,
      name,
      blockType,
      conceptArrangement,
      arcs: networkArcs({
        blockType,
        reported: new Set([...reported.map(({ concept }) => concept), ...(source.reportedElsewhere?.get(id) ?? [])]),
        isAbstract: (qname) => named.get(qname)?.isAbstract === true,
        arcs: arcs.map(({ associationType, fromElementId, toElementId, orderValue, weight, preferredLabel }) => {
          return {
            kind: associationType,
            from: nameOf(fromElementId),
            to: nameOf(toElementId),
            order: orderValue,
            weight,
            preferredLabel: preferredLabelOf(preferredLabel),
          };
        }),
        rollForwards: byName(source.rollForwards.get(id) ?? new Map(), nameOf),
      }),
      checks: sortedTexts(found?.checks),
      failures: sortedTexts(found?.failures),
      warnings: sortedTexts(found?.warnings),
    };
  });
}

function sortedTexts(texts: readonly string[] = []): readonly string[] {
  return [...new Set(texts)].sort(compareText);
}

function byDisplay(a: StructurePart, b: StructurePart): number {
  const place = ({ blockType }: StructurePart): number => displayOrder[blockType] ?? otherDisplayOrder;
  return place(a) - place(b) || compareText(a.name, b.name) || compareText(a.id, b.id);
}

function byName(
  rollForwards: ReadonlyMap<string, ReadonlyMap<string, number>>,
  nameOf: (id: string) => string,
): ReadonlyMap<string, ReadonlyMap<string, number>> {
  return new Map(
    [...rollForwards].map(([balance, changes]) => {
      return [nameOf(balance), new Map([...changes].map(([change, sign]) => [nameOf(change), sign]))];
    }),
  );
}

function usedConcepts(structures: readonly BundleStructure[], facts: readonly BundleFact[]): ReadonlySet<string> {
  const ends = structures.flatMap(({ arcs }) => arcs.flatMap(({ from, to }) => [from, to]));
  const members = facts.flatMap((fact) => fact.members.flatMap(({ axis, member }) => [axis, member ?? axis]));
  return new Set([...ends, ...members, ...facts.map(({ concept }) => concept)]);
}

function factSetOf(set: StoredFactSet, createdBy: string): BundleFactSet {
  const { id, structureId, createdAt } = set;
  const provenance = set.provenance ?? {};
  const origin = typeof provenance['origin'] === 'string' ? provenance['origin'] : 'pivot';
  const isCopy = provenance['source_system'] === 'cross_graph_share';
  return {
    id,
    structureId,
    origin,
    startedAt: createdAt.toISOString(),
    agent: isCopy ? null : createdBy,
    used: usedBy(provenance),
  };
}

/** The fields of provenance that name what facts were made from (reporting 1.3). */
const usedFields = { mapping_id: 'mapping', document_id: 'document', structure_id: 'structure' } as const;

function usedBy(provenance: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.entries(usedFields)
    .flatMap(([field, kind]) => {
      const id = provenance[field];
      return typeof id === 'string' ? [`urn:${kind}:${encodeURIComponent(id)}`] : [];
    })
    .sort(compareText);
}

function ruleOf(rule: Rule, names: ReadonlyMap<string, string>): BundleRule {
  const { id, name, pattern, checkKind, expression, severity, variables } = rule;
  return {
    id,
    name,
    pattern: pattern ?? checkKind ?? '',
    expression,
    severity,
    variables: variables.map((variable) => {
      return `${variable.name} ${names.get(variable.elementId ?? '') ?? variable.qname ?? ''}`.trimEnd();
    }),
  };
}

function resultOf(result: VerificationResult): ReportBundle['results'][number] {
  const { id, ruleId, structureId, factSetId, status, message, evaluatedAt } = result;
  return { id, ruleId, structureId, factSetId, status, message, evaluatedAt: evaluatedAt.toISOString() };
}
