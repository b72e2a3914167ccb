import { defineView, graphReads, kernel, mapOf, model, nullable, oneOf, ServiceError } from '@pacioli/core';
import { Type } from 'typebox';
import {
  axesOf,
  checkGridRequest,
  dimensionsOf,
  distinctFacts,
  entitiesOfNames,
  type GridFact,
  graphErrors,
  gridStatement,
  openGraph,
  requestedEntities,
  selectedFacts,
  startOf,
  summaryOf,
} from '../fact-grids/index.ts';

const ViewAxisConfig = model('ViewAxisConfig', {
  type: Type.String({ description: 'element, period or entity.' }),
  include_null_dimension: Type.Optional(Type.Boolean({ default: false })),
  selected_members: Type.Optional(nullable(Type.Array(Type.String()))),
});

const ViewConfig = model('ViewConfig', {
  rows: Type.Optional(Type.Array(ViewAxisConfig, { maxItems: 10 })),
  columns: Type.Optional(Type.Array(ViewAxisConfig, { maxItems: 10 })),
});

const CreateViewRequest = model('CreateViewRequest', {
  elements: Type.Optional(Type.Array(Type.String())),
  canonical_concepts: Type.Optional(Type.Array(Type.String())),
  periods: Type.Optional(Type.Array(Type.String())),
  entity: Type.Optional(nullable(Type.String())),
  entities: Type.Optional(Type.Array(Type.String())),
  form: Type.Optional(nullable(Type.String())),
  fiscal_year: Type.Optional(nullable(Type.Integer())),
  fiscal_period: Type.Optional(nullable(Type.String())),
  period_type: Type.Optional(nullable(Type.String())),
  include_summary: Type.Optional(Type.Boolean({ default: false })),
  limit: Type.Optional(Type.Integer({ default: 250 })),
  view_config: Type.Optional(ViewConfig),
});

const ViewMetadata = model('ViewMetadata', {
  view_id: Type.String(),
  facts_processed: Type.Integer(),
  construction_time_ms: Type.Number(),
  source: Type.String(),
  period_start: Type.Optional(nullable(Type.String())),
  period_end: Type.Optional(nullable(Type.String())),
  truncated: Type.Optional(Type.Boolean({ default: false })),
});

const Dimension = model('Dimension', {
  name: Type.String(),
  type: oneOf(['element', 'entity', 'period']),
  members: Type.Optional(Type.Array(Type.String())),
});

const FactRecord = model('FactRecord', {
  element_id: Type.String(),
  element_name: Type.Optional(nullable(Type.String())),
  period_start: Type.Optional(nullable(Type.String())),
  period_end: Type.Optional(nullable(Type.String())),
  duration_type: Type.Optional(nullable(Type.String())),
  value: Type.Optional(nullable(Type.Number())),
  unit: Type.Optional(nullable(Type.String())),
  entity_ticker: Type.Optional(nullable(Type.String())),
  entity_name: Type.Optional(nullable(Type.String())),
});

const ElementSummary = model('ElementSummary', {
  count: Type.Integer(),
  min: Type.Number(),
  max: Type.Number(),
  total: Type.Optional(nullable(Type.Number())),
  average: Type.Optional(nullable(Type.Number())),
});

/** Values are in currency units, days or plain numbers, on the natural side of each concept (reporting F-7). */
const ViewResponse = model('ViewResponse', {
  metadata: ViewMetadata,
  dimensions: Type.Optional(Type.Array(Dimension)),
  facts: Type.Optional(Type.Array(FactRecord)),
  summary: Type.Optional(nullable(mapOf(ElementSummary))),
});

/** The most facts that are read for one grid; the oldest of more are left out, and the grid is truncated. */
const maxFactsRead = 10_000;
const maxFacts = 5_000;
const defaultFacts = 250;

export default defineView({
  name: 'build-fact-grid',
  summary: 'The facts of elements over periods and companies, each once, from the analytical graph.',
  role: 'viewer',
  domain: 'ledger',
  openapi: { id: 'build_fact_grid', tag: 'extensions_robo_ledger' },
  input: CreateViewRequest,
  output: ViewResponse,
  services: { graphs: graphReads, ids: kernel.ids },
  mcp: {
    hint: 'Facts by element qname or canonical concept and period, from the materialized graph; without dimensions.',
  },
  errors: { ...graphErrors, INVALID_INPUT: 'The request names no elements, no periods, or something unknown.' },

  async handle({ input, ctx, use }) {
    const startedAt = performance.now();
    checkGridRequest(input);
    const axes = axesOf(input);
    const limit = input.limit ?? defaultFacts;
    if (limit < 1 || limit > maxFacts)
      throw new ServiceError('refused', 'INVALID_INPUT', `limit is from 1 to ${maxFacts}, not ${limit}.`);
    const graph = await openGraph(use.graphs, ctx);
    const names = requestedEntities(input);
    const entityIds = names.length === 0 ? undefined : await entitiesOfNames(graph, names);
    const read = async () => {
      if (entityIds?.length === 0) return { rows: [], isTruncated: false };
      const { text, parameters } = gridStatement(input, entityIds);
      return graph.read<GridFact>(text, parameters, maxFactsRead);
    };
    const { rows, isTruncated } = await read();
    const matching = selectedFacts(distinctFacts(rows), axes);
    const facts = matching.slice(0, limit);
    const starts = facts.map((fact) => startOf(fact) ?? fact.end_date).sort();
    return {
      metadata: {
        view_id: use.ids.make('view'),
        facts_processed: rows.length,
        construction_time_ms: Math.round(performance.now() - startedAt),
        source: 'graph',
        period_start: starts[0] ?? null,
        period_end: facts[0]?.end_date ?? null,
        truncated: isTruncated || facts.length < matching.length,
      },
      dimensions: dimensionsOf(facts),
      facts: facts.map((fact) => recordOf(fact, names.length > 0)),
      summary: input.include_summary === true ? summaryOf(facts) : null,
    };
  },
});

function recordOf(fact: GridFact, withEntity: boolean) {
  return {
    element_id: fact.qname,
    element_name: fact.element_name,
    period_start: startOf(fact),
    period_end: fact.end_date,
    duration_type: fact.duration_type,
    value: fact.number === null ? null : Number(fact.number),
    unit: fact.unit,
    ...(withEntity ? { entity_ticker: fact.ticker, entity_name: fact.entity_name } : {}),
  };
}
