import { calendarDate, model, nullable } from '@pacioli/core';
import { Type } from 'typebox';

const PeriodSpec = model('PeriodSpec', { start: calendarDate(), end: calendarDate(), label: Type.String() });

const LiveStatementFactRow = model('LiveStatementFactRow', {
  qname: Type.String(),
  name: Type.String(),
  values: Type.Array(nullable(Type.Number())),
  trait: Type.Optional(nullable(Type.String())),
  depth: Type.Optional(Type.Integer({ default: 0 })),
  is_subtotal: Type.Optional(Type.Boolean({ default: false })),
});

const ValidationCheckResponse = model('ValidationCheckResponse', {
  passed: Type.Boolean(),
  status: Type.String(),
  checks: Type.Array(Type.String()),
  failures: Type.Array(Type.String()),
  warnings: Type.Array(Type.String()),
});

export const LiveFinancialStatementRequest = model('LiveFinancialStatementRequest', {
  statement_type: Type.String(),
  period_start: Type.Optional(nullable(calendarDate())),
  period_end: Type.Optional(nullable(calendarDate())),
  period_type: Type.Optional(nullable(Type.String())),
  fiscal_year: Type.Optional(nullable(Type.Integer({ minimum: 1900, maximum: 2999 }))),
  limit: Type.Optional(Type.Integer({ default: 1000, minimum: 1, maximum: 1000 })),
});

/** Values are in major units, on the natural side of each line (reporting F-7). */
export const LiveFinancialStatementResponse = model('LiveFinancialStatementResponse', {
  graph_id: Type.String(),
  statement_type: Type.String(),
  periods: Type.Array(PeriodSpec),
  facts: Type.Array(LiveStatementFactRow),
  fact_count: Type.Integer(),
  validation: Type.Optional(nullable(ValidationCheckResponse)),
  unmapped_count: Type.Optional(Type.Integer({ default: 0 })),
  truncated: Type.Optional(Type.Boolean({ default: false })),
});
