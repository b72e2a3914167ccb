import { ServiceError } from '@pacioli/core';
import type { GraphReader } from './graph-reader.ts';
import { type GridFact, isBetter, startOf } from './grid-facts.ts';
import { type PresentationArc, presentationRows } from './presentation-order.ts';

/** A fact of a statement in a report, as the Cypher of `factsText` returns it. */
export interface StatementFact
  extends Pick<
    GridFact,
    | 'id'
    | 'element_id'
    | 'qname'
    | 'element_name'
    | 'start_date'
    | 'end_date'
    | 'period_type'
    | 'duration_type'
    | 'number'
    | 'decimals'
    | 'reported_at'
  > {
  readonly canonical_concept: string | null;
}

const maxFactsRead = 10_000;
const maxArcsRead = 10_000;

/** The statements that a report may have, as types of structures (V-10). */
const statementTypes = ['income_statement', 'balance_sheet', 'cash_flow_statement', 'equity_statement'] as const;

type StatementType = (typeof statementTypes)[number];

/** The periods of a statement that are shown: all, or those of one kind. */
export function periodFilter(
  statementType: string,
  periodType: string | null | undefined,
): 'all' | 'instant' | 'annual' | 'quarterly' {
  // The text is not checked yet; the type only satisfies `includes`.
  if (!statementTypes.includes(statementType as StatementType))
    throw refused(`statement_type is ${statementTypes.join(', ')}, not '${statementType}'.`);
  if (periodType === undefined || periodType === null || periodType === '')
    return statementType === 'balance_sheet' ? 'instant' : 'all';
  if (periodType === 'instant' || periodType === 'annual' || periodType === 'quarterly') return periodType;
  throw refused(`period_type is annual, quarterly or instant, not '${periodType}'.`);
}

/** The facts of a statement in a report, each once, newest periods first, then in print order (V-10). */
export async function statementFacts(
  graph: GraphReader,
  request: { readonly reportId: string; readonly type: string; readonly periods: ReturnType<typeof periodFilter> },
): Promise<readonly StatementFact[]> {
  const parameters = { report: request.reportId, type: request.type };
  const [{ rows, isTruncated }, arcs] = [
    await graph.read<StatementFact>(factsText(request.periods), parameters, maxFactsRead),
    await graph.read<PresentationArc>(arcsText, parameters, maxArcsRead),
  ];
  if (isTruncated || arcs.isTruncated) {
    const message = `The statement has more than ${maxFactsRead} facts or arcs. Read it with query/cypher, which streams.`;
    throw new ServiceError('too_large', 'TOO_MANY_FACTS', message);
  }
  return inPrintOrder(distinct(rows), arcs.rows);
}

function distinct(facts: readonly StatementFact[]): readonly StatementFact[] {
  const chosen = new Map<string, StatementFact>();
  for (const fact of facts) {
    const key = JSON.stringify([fact.qname, startOf(fact), fact.end_date]);
    const known = chosen.get(key);
    if (known === undefined || isBetter(fact, known)) chosen.set(key, fact);
  }
  return [...chosen.values()];
}

function inPrintOrder(facts: readonly StatementFact[], arcs: readonly PresentationArc[]): readonly StatementFact[] {
  const places = new Map<string, number>();
  const reported = new Set(facts.map(({ element_id: id }) => id));
  for (const [place, { element }] of presentationRows(arcs, (id) => reported.has(id)).entries())
    if (!places.has(element)) places.set(element, place);
  const placeOf = ({ element_id: id }: StatementFact): number => places.get(id) ?? places.size;
  return [...facts].sort(
    (a, b) =>
      (a.end_date === b.end_date ? 0 : a.end_date < b.end_date ? 1 : -1) ||
      placeOf(a) - placeOf(b) ||
      (a.qname === b.qname ? 0 : a.qname < b.qname ? -1 : 1) ||
      ((startOf(a) ?? '') < (startOf(b) ?? '') ? 1 : -1),
  );
}

const setsOfStatement = `MATCH (r:Report)-[:REPORT_HAS_FACT_SET]->(s:FactSet)<-[:STRUCTURE_HAS_FACT_SET]-(t:Structure)`;

function factsText(periods: ReturnType<typeof periodFilter>): string {
  const condition = {
    all: '',
    instant: " AND p.period_type = 'instant'",
    annual: " AND p.duration_type = 'annual'",
    quarterly: " AND p.duration_type = 'quarterly'",
  }[periods];
  return `${setsOfStatement}, (s)-[:FACT_SET_CONTAINS_FACT]->(f:Fact)-[:FACT_HAS_ELEMENT]->(c:Element),
      (f)-[:FACT_HAS_PERIOD]->(p:Period)
    WHERE r.identifier = $report AND t.canonical_type = $type AND f.has_dimensions = false AND f.scenario_id IS NULL${condition}
    RETURN f.identifier AS id, c.identifier AS element_id, c.qname AS qname, c.name AS element_name,
      c.canonical_concept AS canonical_concept, p.start_date AS start_date, p.end_date AS end_date,
      p.period_type AS period_type, p.duration_type AS duration_type,
      CASE WHEN f.fact_type = 'Numeric' THEN f.value ELSE NULL END AS number, f.decimals AS decimals, r.updated_at AS reported_at
    ORDER BY id`;
}

const arcsText = `${setsOfStatement}
    WHERE r.identifier = $report AND t.canonical_type = $type
    WITH DISTINCT t
    MATCH (t)-[:STRUCTURE_HAS_ASSOCIATION]->(a:Association)-[:ASSOCIATION_HAS_FROM_ELEMENT]->(x:Element),
      (a)-[:ASSOCIATION_HAS_TO_ELEMENT]->(y:Element)
    WHERE a.association_type = 'presentation'
    RETURN x.identifier AS \`from\`, y.identifier AS \`to\`, a.order_value AS \`order\`, a.preferred_label AS label,
      x.is_abstract AS is_heading
    ORDER BY a.identifier`;

function refused(message: string): ServiceError {
  return new ServiceError('refused', 'INVALID_INPUT', message);
}
