import { factStore, reportingEntities, ruleStore } from '@pacioli/blocks';
import { calendarDate, defineOperation, model, nullable } from '@pacioli/core';
import { balances } from '@pacioli/ledger';
import { library, structureParts } from '@pacioli/taxonomy';
import { Type } from 'typebox';
import { MetricAsserter } from '../metrics/index.ts';

const metricObservation = model('MetricObservation', {
  qname: Type.String(),
  value: Type.Number(),
});

const assertMetricsRequest = model('AssertMetricsRequest', {
  structure_id: Type.String(),
  period_end: calendarDate(),
  source_system: Type.String({ minLength: 1, maxLength: 255 }),
  observations: Type.Array(metricObservation),
  period_start: Type.Optional(nullable(calendarDate())),
  entity_id: Type.Optional(nullable(Type.String())),
  basis_note: Type.Optional(nullable(Type.String({ maxLength: 2_000 }))),
});

const assertedMetricLite = model('AssertedMetricLite', {
  element_id: Type.String(),
  element_qname: Type.String(),
  name: Type.String(),
  value: Type.Number(),
  unit: Type.String(),
  period_type: Type.String(),
  item_type: Type.Optional(nullable(Type.String())),
});

const assertMetricsResponse = model('AssertMetricsResponse', {
  structure_id: Type.String(),
  entity_id: Type.String(),
  period_end: calendarDate(),
  fact_set_id: Type.String(),
  asserted: Type.Optional(Type.Array(assertedMetricLite)),
  replaced: Type.Optional(Type.Boolean({ default: false })),
});

export default defineOperation({
  name: 'assert-metrics',
  summary: 'Stores observed values of a metric block as the standing fact set of a period.',
  role: 'member',
  domain: 'ledger',
  openapi: { id: 'assert_metrics', tag: 'extensions_robo_ledger' },
  input: assertMetricsRequest,
  output: assertMetricsResponse,
  mcp: {
    hint: 'Stores observed values of a metric block for a period; they replace the earlier ones.',
    idempotent: true,
  },
  services: {
    structures: structureParts,
    rules: ruleStore,
    facts: factStore,
    entities: reportingEntities,
    balances,
    library,
  },
  stale: 'metrics_asserted',
  errors: {
    INVALID_INPUT:
      'The structure is unknown, no metric block or computed, an observation cannot be stored, or the entity or period is invalid.',
  },

  async handle({ input, ctx, use }) {
    const work = { tx: ctx.tx, graphId: ctx.graph.id, userId: ctx.caller.userId, now: ctx.now() };
    const { entityId, factSetId, asserted, isReplaced } = await new MetricAsserter(use).assert(work, {
      structureId: input.structure_id,
      periodStart: input.period_start ?? null,
      periodEnd: input.period_end,
      entityId: input.entity_id ?? null,
      sourceSystem: input.source_system,
      basisNote: input.basis_note ?? null,
      observations: input.observations,
    });
    return {
      structure_id: input.structure_id,
      entity_id: entityId,
      period_end: input.period_end,
      fact_set_id: factSetId,
      asserted: asserted.map(({ element, value, unit }) => ({
        element_id: element.id,
        element_qname: element.qname ?? element.id,
        name: element.name,
        value: value.toNumber(),
        unit,
        period_type: element.periodType,
        item_type: element.itemType,
      })),
      replaced: isReplaced,
    };
  },
});
