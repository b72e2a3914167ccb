import { defineEvent, model } from '@pacioli/core';
import { Type } from 'typebox';

/** A closed month was reopened (ledger L-222). */
export default defineEvent(
  'ledger.period-reopened',
  model('PeriodReopened', {
    graph_id: Type.String(),
    // YYYY-MM.
    period: Type.String(),
    reopened_by: Type.String(),
    reason: Type.String(),
  }),
);
