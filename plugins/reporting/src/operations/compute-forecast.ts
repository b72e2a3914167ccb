import { calendarDate, defineOperation, model, nullable } from '@pacioli/core';
import { Type } from 'typebox';
import { ForecastComputer, forecastServices } from '../forecasts/index.ts';

const optionalText = () => Type.Optional(nullable(Type.String()));

const forecastMonthLite = model('ForecastMonthLite', {
  period: Type.String(),
  period_start: calendarDate(),
  period_end: calendarDate(),
  income_statement_fact_set_id: optionalText(),
  balance_sheet_fact_set_id: optionalText(),
  cash_flow_fact_set_id: optionalText(),
  computed_count: Type.Optional(Type.Integer({ default: 0 })),
  verification_passed: Type.Optional(nullable(Type.Boolean())),
  verification_failures: Type.Optional(Type.Array(Type.String())),
});

const skippedForecastLite = model('SkippedForecastLite', {
  period: Type.String(),
  reason: Type.String(),
  rule_id: optionalText(),
  element_qname: optionalText(),
  missing: Type.Optional(Type.Array(Type.String())),
});

export default defineOperation({
  name: 'compute-forecast',
  summary: 'Projects the statements of a forecast month by month and replaces its scenario; actuals stay as they are.',
  role: 'member',
  domain: 'ledger',
  openapi: { id: 'compute_forecast', tag: 'extensions_robo_ledger' },
  mcp: { hint: 'Projects the statements of a forecast block; actual figures stay as they are.', idempotent: true },
  stale: 'forecast_computed',
  input: model(
    'ComputeForecastRequest',
    {
      structure_id: Type.String(),
      months: Type.Optional(nullable(Type.Integer())),
      entity_id: optionalText(),
    },
    {
      fields: {
        structure_id: 'The forecast block.',
        months: 'The months after the base period to project, at most the horizon; null for the whole horizon.',
        entity_id: 'The company; null for that of the forecast.',
      },
    },
  ),
  output: model('ComputeForecastResponse', {
    structure_id: Type.String(),
    scenario_id: Type.String(),
    entity_id: Type.String(),
    base_period: Type.String(),
    anchor_period: Type.String(),
    months: Type.Integer(),
    months_computed: Type.Optional(Type.Array(forecastMonthLite)),
    halted_at: optionalText(),
    skipped: Type.Optional(Type.Array(skippedForecastLite)),
    diagnostics: Type.Optional(Type.Array(Type.String())),
  }),
  services: forecastServices,
  errors: {
    INVALID_INPUT:
      'The structure is unknown, no forecast or without levers, the months exceed the horizon, the entity is unknown, the base period has no income statement, or an amount has more than 18 digits.',
  },

  async handle({ input, ctx, use }) {
    const work = { tx: ctx.tx, graphId: ctx.graph.id, userId: ctx.caller.userId, now: ctx.now() };
    const done = await new ForecastComputer(use).compute(work, {
      structureId: input.structure_id,
      months: input.months ?? null,
      entityId: input.entity_id ?? null,
    });
    return {
      structure_id: input.structure_id,
      scenario_id: input.structure_id,
      entity_id: done.entityId,
      base_period: done.basePeriod,
      anchor_period: done.anchorPeriod,
      months: done.months,
      months_computed: done.written.map((month) => ({
        period: month.period,
        period_start: month.start,
        period_end: month.end,
        income_statement_fact_set_id: month.incomeSetId,
        balance_sheet_fact_set_id: month.balanceSetId,
        cash_flow_fact_set_id: month.cashFlowSetId,
        computed_count: month.factCount,
        verification_passed: month.isPassed,
        verification_failures: [...month.failures],
      })),
      halted_at: done.haltedAt,
      skipped: done.skipped.map(({ period, reason, ruleId, qname, missing }) => ({
        period,
        reason,
        rule_id: ruleId,
        element_qname: qname,
        missing: [...missing],
      })),
      diagnostics: [...done.diagnostics],
    };
  },
});
