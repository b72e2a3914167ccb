import { calendarDate, instant, model, nullable } from '@pacioli/core';
import { Type } from 'typebox';

export const verificationResultLite = model('VerificationResultLite', {
  id: Type.String(),
  rule_id: Type.String(),
  status: Type.String(),
  structure_id: Type.Optional(nullable(Type.String())),
  fact_set_id: Type.Optional(nullable(Type.String())),
  message: Type.Optional(nullable(Type.String())),
  period_start: Type.Optional(nullable(calendarDate())),
  period_end: Type.Optional(nullable(calendarDate())),
  evaluated_at: Type.Optional(nullable(instant())),
});

const verificationCategorySummary = model('VerificationCategorySummary', {
  category: Type.String(),
  total: Type.Optional(Type.Integer({ default: 0 })),
  passed: Type.Optional(Type.Integer({ default: 0 })),
  failed: Type.Optional(Type.Integer({ default: 0 })),
  errored: Type.Optional(Type.Integer({ default: 0 })),
  skipped: Type.Optional(Type.Integer({ default: 0 })),
});

export const verificationSummary = model('VerificationSummary', {
  total: Type.Optional(Type.Integer({ default: 0 })),
  passed: Type.Optional(Type.Integer({ default: 0 })),
  failed: Type.Optional(Type.Integer({ default: 0 })),
  errored: Type.Optional(Type.Integer({ default: 0 })),
  skipped: Type.Optional(Type.Integer({ default: 0 })),
  by_category: Type.Optional(Type.Array(verificationCategorySummary)),
});
