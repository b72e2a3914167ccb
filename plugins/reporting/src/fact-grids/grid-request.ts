import { ServiceError } from '@pacioli/core';

/** An axis of a view, which selects members and arranges nothing (V-6). */
export interface ViewAxis {
  readonly type: 'element' | 'period' | 'entity';
  readonly selected_members?: readonly string[] | null;
  readonly include_null_dimension?: boolean;
}

/** The request of a grid, without its limit. */
export interface GridRequest {
  readonly elements?: readonly string[];
  readonly canonical_concepts?: readonly string[];
  readonly periods?: readonly string[];
  readonly entity?: string | null;
  readonly entities?: readonly string[];
  readonly form?: string | null;
  readonly fiscal_year?: number | null;
  readonly fiscal_period?: string | null;
  readonly period_type?: string | null;
  readonly view_config?: {
    readonly rows?: readonly UncheckedAxis[];
    readonly columns?: readonly UncheckedAxis[];
  };
}

type UncheckedAxis = Omit<ViewAxis, 'type'> & { readonly type: string };

const maxNames = 500;
const axisTypes = ['element', 'period', 'entity'] as const;

/** The words of graphs SC-27 that a request may name. */
const durations = ['annual', 'quarterly', 'monthly', 'semi_annual', 'nine_months'];

/** The statement that reads the facts of a grid. */
export interface GridStatement {
  readonly text: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** Throws 400 for a request that names no elements, no periods, or something unknown (V-5). */
export function checkGridRequest(request: GridRequest): void {
  const { elements = [], canonical_concepts: concepts = [], periods = [], entities = [] } = request;
  if (elements.length + concepts.length === 0) throw refused('Provide elements (qnames) and/or canonical_concepts.');
  if (periods.length === 0 && isAbsent(request.period_type) && isAbsent(request.fiscal_year))
    throw refused('Provide periods (end dates), period_type or fiscal_year.');
  for (const [name, list] of Object.entries({ elements, canonical_concepts: concepts, periods, entities })) {
    if (list.length > maxNames) throw refused(`${name} has ${list.length} members; at most ${maxNames} are allowed.`);
  }
  const type = request.period_type;
  if (!isAbsent(type) && type !== 'instant' && !durations.includes(type))
    throw refused(`period_type is instant or one of ${durations.join(', ')}, not '${type}'.`);
}

/** The axes of the view; throws 400 for an unknown type. */
export function axesOf({ view_config: config }: GridRequest): readonly ViewAxis[] {
  return [...(config?.rows ?? []), ...(config?.columns ?? [])].map((axis) => {
    const type = axisTypes.find((known) => known === axis.type);
    if (type === undefined) throw refused(`The type of an axis is ${axisTypes.join(', ')}, not '${axis.type}'.`);
    if ((axis.selected_members ?? []).length > maxNames) throw refused(`An axis selects at most ${maxNames} members.`);
    return { ...axis, type };
  });
}

/** The names of companies that the request filters by; empty without such a filter. */
export function requestedEntities({ entity, entities = [] }: GridRequest): readonly string[] {
  return [...(isAbsent(entity) ? [] : [entity]), ...entities];
}

/** Selects the facts of a request; `entityIds` has those that its names were resolved to, or is undefined for all. */
export function gridStatement(request: GridRequest, entityIds: readonly string[] | undefined): GridStatement {
  const { elements = [], canonical_concepts: concepts = [], periods = [] } = request;
  const parameters: Record<string, unknown> = {};
  const given = (name: string, value: unknown, condition: string): string => {
    parameters[name] = value;
    return condition;
  };
  const named = [
    ...(elements.length === 0 ? [] : [given('elements', elements, 'c.qname IN $elements')]),
    ...(concepts.length === 0 ? [] : [given('concepts', concepts, 'c.canonical_concept IN $concepts')]),
  ];
  const ofReport = [
    ...(isAbsent(request.form) ? [] : [given('form', request.form, 'r.form = $form')]),
    ...(isAbsent(request.fiscal_year) ? [] : [given('year', request.fiscal_year, 'r.fiscal_year_focus = $year')]),
    ...(isAbsent(request.fiscal_period)
      ? []
      : [given('period', request.fiscal_period, 'r.fiscal_period_focus = $period')]),
  ];
  const conditions = [
    // Consolidated totals of the actuals (graphs 6.8, reporting F-15).
    'f.has_dimensions = false',
    'f.scenario_id IS NULL',
    `(${named.join(' OR ')})`,
    ...(periods.length === 0 ? [] : [given('periods', periods, 'p.end_date IN $periods')]),
    ...ofPeriodType(request.period_type, given),
    ...(entityIds === undefined ? [] : [given('entities', entityIds, 'e.identifier IN $entities')]),
    ...ofReport,
  ];
  const report = '(r:Report)-[:REPORT_HAS_FACT]->(f)';
  const text = `MATCH (c:Element)<-[:FACT_HAS_ELEMENT]-(f:Fact)-[:FACT_HAS_PERIOD]->(p:Period), (f)-[:FACT_HAS_ENTITY]->(e:Entity)${
    ofReport.length === 0 ? '' : `, ${report}`
  }
    WHERE ${conditions.join(' AND ')}
    OPTIONAL MATCH (f)-[:FACT_HAS_UNIT]->(u:Unit)${ofReport.length === 0 ? `\n    OPTIONAL MATCH ${report}` : ''}
    RETURN f.identifier AS id, c.identifier AS element_id, c.qname AS qname, c.name AS element_name,
      p.start_date AS start_date, p.end_date AS end_date, p.period_type AS period_type, p.duration_type AS duration_type,
      CASE WHEN f.fact_type = 'Numeric' THEN f.value ELSE NULL END AS number, f.decimals AS decimals, u.value AS unit,
      e.identifier AS entity_id, e.ticker AS ticker, e.cik AS cik, e.name AS entity_name, r.updated_at AS reported_at
    ORDER BY end_date DESC, qname, id`;
  return { text, parameters };
}

function ofPeriodType(
  type: string | null | undefined,
  given: (name: string, value: unknown, condition: string) => string,
): readonly string[] {
  if (isAbsent(type)) return [];
  if (type === 'instant') return ["p.period_type = 'instant'"];
  return [given('duration', type, 'p.duration_type = $duration')];
}

function isAbsent(value: unknown): value is null | undefined | '' {
  return value === undefined || value === null || value === '';
}

function refused(message: string): ServiceError {
  return new ServiceError('refused', 'INVALID_INPUT', message);
}
