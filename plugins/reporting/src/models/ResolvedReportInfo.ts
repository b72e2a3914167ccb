import { model, nullable } from '@pacioli/core';
import { Type } from 'typebox';

/** The report that a view was read from. */
export const ResolvedReportInfo = model('ResolvedReportInfo', {
  report_id: Type.String(),
  form: Type.Optional(nullable(Type.String())),
  filing_date: Type.Optional(nullable(Type.String())),
  fiscal_year: Type.Optional(nullable(Type.Integer())),
  fiscal_period: Type.Optional(nullable(Type.String())),
});
