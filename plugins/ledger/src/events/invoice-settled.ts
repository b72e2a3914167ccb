import { defineEvent, model } from '@pacioli/core';
import { Type } from 'typebox';

/** Settlements left nothing open of an invoice, a sales receipt or a bill (ledger L-222). */
export default defineEvent(
  'ledger.invoice-settled',
  model('InvoiceSettled', {
    graph_id: Type.String(),
    event_id: Type.String(),
    event_type: Type.String(),
    // The event that settled the rest.
    settled_by: Type.String(),
  }),
);
