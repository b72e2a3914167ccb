import { ServiceError } from '@pacioli/core';
import type { GraphReader, PresentationArc } from '../fact-grids/index.ts';

/** A section of a report: the facts of one structure. */
export interface Section {
  readonly id: string;
  readonly role: string | null;
  readonly name: string;
  readonly number: string | null;
  readonly type: string;
  readonly facts: number;
  readonly concepts: number;
  /** Facts with axis members. */
  readonly dimensional: number;
}

/** A text fact of a section. */
export interface SectionText {
  readonly section: string;
  readonly concept: string;
  readonly chars: number;
}

/** A fact of one section, with its period. */
export interface SectionFact {
  readonly id: string;
  readonly element: string;
  readonly start_date: string | null;
  readonly end_date: string;
  readonly period_type: string;
  readonly duration_type: string | null;
  readonly fact_type: string;
  readonly value: string | null;
  readonly decimals: string | null;
  readonly reported_at: string | null;
}

/** An axis member of a fact. */
export interface FactMember {
  readonly fact: string;
  readonly axis: string;
  readonly member: string;
  readonly is_typed: boolean;
}

/** The name of an element, by its identifier. */
export interface SectionElement {
  readonly id: string;
  readonly qname: string;
  readonly label: string | null;
  readonly is_abstract: boolean;
}

/** An arc of a calculation, by the identifiers of its ends. */
export interface CalculationArc {
  readonly from: string;
  readonly to: string;
  readonly weight: number | null;
}

/** The facts, arcs and elements of one section. */
export interface SectionContent {
  readonly facts: readonly SectionFact[];
  readonly members: readonly FactMember[];
  readonly presentation: readonly PresentationArc[];
  readonly calculation: readonly CalculationArc[];
  readonly elements: ReadonlyMap<string, SectionElement>;
}

const maxRowsRead = 10_000;

/** The sets of a report with their structures; actuals only (reporting F-11). */
const sets = 'MATCH (r:Report)-[:REPORT_HAS_FACT_SET]->(s:FactSet)<-[:STRUCTURE_HAS_FACT_SET]-(t:Structure)';
const facts = '(s)-[:FACT_SET_CONTAINS_FACT]->(f:Fact)-[:FACT_HAS_ELEMENT]->(c:Element)';

/**
 * The sections of a report that have facts. Distinct elements are counted by a statement of their own: in one with other
 * aggregates, the embedded engine computes those that follow it wrong.
 */
export async function readSections(graph: GraphReader, report: string): Promise<readonly Section[]> {
  const matched = `${sets}, ${facts} WHERE r.identifier = $report AND f.scenario_id IS NULL`;
  const sections = await readAll<Omit<Section, 'concepts'>>(
    graph,
    `${matched} RETURN t.identifier AS id, t.uri AS role, t.name AS name, t.number AS number, t.canonical_type AS type,
       count(f) AS facts, count(CASE WHEN f.has_dimensions THEN 1 END) AS dimensional ORDER BY id`,
    { report },
  );
  const counts = await readAll<Pick<Section, 'id' | 'concepts'>>(
    graph,
    `${matched} RETURN t.identifier AS id, count(DISTINCT c.identifier) AS concepts ORDER BY id`,
    { report },
  );
  const concepts = new Map(counts.map((row) => [row.id, row.concepts]));
  return sections.map((section) => ({ ...section, concepts: concepts.get(section.id) ?? 0 }));
}

/** The texts of a report, without their content. */
export async function readTexts(graph: GraphReader, report: string): Promise<readonly SectionText[]> {
  return readAll<SectionText>(
    graph,
    `${sets}, ${facts} WHERE r.identifier = $report AND f.fact_type = 'Nonnumeric' AND f.scenario_id IS NULL
     RETURN t.identifier AS section, c.qname AS concept, size(f.value) AS chars ORDER BY section, concept, f.identifier`,
    { report },
  );
}

/** The axes of each section of a report. */
export async function readAxes(
  graph: GraphReader,
  report: string,
): Promise<readonly { readonly section: string; readonly axis: string }[]> {
  return readAll(
    graph,
    `${sets}, (s)-[:FACT_SET_CONTAINS_FACT]->(f:Fact)-[:FACT_HAS_DIMENSION]->(d:Dimension)
     WHERE r.identifier = $report AND f.scenario_id IS NULL AND f.has_dimensions = true
     RETURN DISTINCT t.identifier AS section, d.axis AS axis ORDER BY section, axis`,
    { report },
  );
}

/** The number of totals in the calculations of structures. */
export async function readTotals(
  graph: GraphReader,
  structures: readonly string[],
): Promise<readonly { readonly section: string; readonly totals: number }[]> {
  if (structures.length === 0) return [];
  return readAll(
    graph,
    `MATCH (t:Structure)-[:STRUCTURE_HAS_ASSOCIATION]->(a:Association)-[:ASSOCIATION_HAS_FROM_ELEMENT]->(x:Element)
     WHERE t.identifier IN $structures AND a.association_type = 'calculation'
     RETURN t.identifier AS section, count(DISTINCT x.identifier) AS totals ORDER BY section`,
    { structures },
  );
}

/** Reads everything that one section shows. */
export async function readSection(
  graph: GraphReader,
  { report, structure }: { readonly report: string; readonly structure: string },
): Promise<SectionContent> {
  const parameters = { report, structure };
  const ofSection = 'r.identifier = $report AND t.identifier = $structure AND f.scenario_id IS NULL';
  const found = await readAll<SectionFact>(
    graph,
    `${sets}, ${facts}, (f)-[:FACT_HAS_PERIOD]->(p:Period) WHERE ${ofSection}
     RETURN f.identifier AS id, c.identifier AS element, p.start_date AS start_date, p.end_date AS end_date,
       p.period_type AS period_type, p.duration_type AS duration_type, f.fact_type AS fact_type, f.value AS value,
       f.decimals AS decimals, r.updated_at AS reported_at ORDER BY id`,
    parameters,
  );
  const members = await readAll<FactMember>(
    graph,
    `${sets}, (s)-[:FACT_SET_CONTAINS_FACT]->(f:Fact)-[:FACT_HAS_DIMENSION]->(d:Dimension) WHERE ${ofSection}
     RETURN f.identifier AS fact, d.axis AS axis, d.member AS member, d.is_typed AS is_typed ORDER BY fact, axis, member`,
    parameters,
  );
  const presentation = await readAll<PresentationArc>(
    graph,
    arcsText('presentation', 'a.order_value AS `order`, a.preferred_label AS label, x.is_abstract AS is_heading'),
    { structure },
  );
  const calculation = await readAll<CalculationArc>(graph, arcsText('calculation', 'a.weight AS weight'), {
    structure,
  });
  const ids = [
    ...found.map(({ element }) => element),
    ...members.flatMap(({ axis, member }) => [axis, member]),
    ...[...presentation, ...calculation].flatMap(({ from, to }) => [from, to]),
  ];
  const elements = await readAll<SectionElement>(
    graph,
    `MATCH (e:Element) WHERE e.identifier IN $ids
     RETURN e.identifier AS id, e.qname AS qname, e.name AS label, e.is_abstract AS is_abstract ORDER BY id`,
    { ids: [...new Set(['', ...ids])] },
  );
  return {
    facts: found,
    members,
    presentation,
    calculation,
    elements: new Map(elements.map((each) => [each.id, each])),
  };
}

function arcsText(type: 'presentation' | 'calculation', columns: string): string {
  return `MATCH (t:Structure)-[:STRUCTURE_HAS_ASSOCIATION]->(a:Association)-[:ASSOCIATION_HAS_FROM_ELEMENT]->(x:Element),
      (a)-[:ASSOCIATION_HAS_TO_ELEMENT]->(y:Element)
    WHERE t.identifier = $structure AND a.association_type = '${type}'
    RETURN x.identifier AS \`from\`, y.identifier AS \`to\`, ${columns} ORDER BY a.order_value, a.identifier`;
}

/** All rows of a statement; refuses more than can be read at once, because a part of a section would mislead. */
async function readAll<R>(
  graph: GraphReader,
  text: string,
  parameters: Readonly<Record<string, unknown>>,
): Promise<readonly R[]> {
  const { rows, isTruncated } = await graph.read<R>(text, parameters, maxRowsRead);
  if (!isTruncated) return rows;
  const message = `More than ${maxRowsRead} facts, members or arcs would be read at once. Read them with query/cypher, which streams.`;
  throw new ServiceError('too_large', 'TOO_MANY_FACTS', message);
}
