import { defineEvent, model } from '@pacioli/core';
import { Type } from 'typebox';

/** A month was closed, or closed again after it was reopened (ledger L-222). */
export default defineEvent(
  'ledger.period-closed',
  model('PeriodClosed', {
    graph_id: Type.String(),
    // YYYY-MM.
    period: Type.String(),
    closed_by: Type.String(),
    is_again: Type.Boolean(),
  }),
);
