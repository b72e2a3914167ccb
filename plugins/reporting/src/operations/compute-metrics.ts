import { factStore, reportingEntities, ruleStore } from '@pacioli/blocks';
import { calendarDate, defineOperation, model, nullable } from '@pacioli/core';
import { balances } from '@pacioli/ledger';
import { structureParts } from '@pacioli/taxonomy';
import { Type } from 'typebox';
import { MetricComputer } from '../metrics/index.ts';

const computeMetricsRequest = model('ComputeMetricsRequest', {
  structure_id: Type.String(),
  period_end: calendarDate(),
  period_start: Type.Optional(nullable(calendarDate())),
  entity_id: Type.Optional(nullable(Type.String())),
  scenario_id: Type.Optional(nullable(Type.String())),
});

const computedMetricLite = model('ComputedMetricLite', {
  rule_id: Type.String(),
  element_id: Type.String(),
  name: Type.String(),
  value: Type.Number(),
  unit: Type.String(),
  period_type: Type.String(),
  element_qname: Type.Optional(nullable(Type.String())),
  item_type: Type.Optional(nullable(Type.String())),
});

const skippedMetricLite = model('SkippedMetricLite', {
  rule_id: Type.String(),
  reason: Type.String(),
  element_qname: Type.Optional(nullable(Type.String())),
  missing: Type.Optional(Type.Array(Type.String())),
});

const computeMetricsResponse = model('ComputeMetricsResponse', {
  structure_id: Type.String(),
  entity_id: Type.String(),
  period_end: calendarDate(),
  fact_set_id: Type.Optional(nullable(Type.String())),
  computed: Type.Optional(Type.Array(computedMetricLite)),
  skipped: Type.Optional(Type.Array(skippedMetricLite)),
});

export default defineOperation({
  name: 'compute-metrics',
  summary: 'Computes the metrics of a metric block from the facts of a period and replaces their standing fact set.',
  role: 'member',
  domain: 'ledger',
  openapi: { id: 'compute_metrics', tag: 'extensions_robo_ledger' },
  input: computeMetricsRequest,
  output: computeMetricsResponse,
  mcp: { hint: 'Computes the metrics of a block, such as ratios, for a period from its facts.', idempotent: true },
  services: { structures: structureParts, rules: ruleStore, facts: factStore, entities: reportingEntities, balances },
  stale: 'metrics_computed',
  errors: {
    INVALID_INPUT:
      'The structure is unknown, no metric block or without Derive rules, the scenario or entity is unknown, or the period ends before it starts.',
    TOO_MANY_FACTS: {
      kind: 'too_large',
      meaning: 'More facts end on the date than one run reads; give a later period_start or delete reports.',
    },
  },

  async handle({ input, ctx, use }) {
    const work = { tx: ctx.tx, graphId: ctx.graph.id, userId: ctx.caller.userId, now: ctx.now() };
    const { entityId, factSetId, computed, skipped } = await new MetricComputer(use).compute(work, {
      structureId: input.structure_id,
      periodStart: input.period_start ?? null,
      periodEnd: input.period_end,
      entityId: input.entity_id ?? null,
      scenarioId: input.scenario_id ?? null,
    });
    return {
      structure_id: input.structure_id,
      entity_id: entityId,
      period_end: input.period_end,
      fact_set_id: factSetId,
      computed: computed.map(({ ruleId, target, value, unit }) => ({
        rule_id: ruleId,
        element_id: target.id,
        name: target.name,
        value: value.toNumber(),
        unit,
        period_type: target.periodType,
        element_qname: target.qname,
        item_type: target.itemType,
      })),
      skipped: skipped.map(({ ruleId, reason, targetQname, missing }) => ({
        rule_id: ruleId,
        reason,
        element_qname: targetQname,
        missing: [...missing],
      })),
    };
  },
});
