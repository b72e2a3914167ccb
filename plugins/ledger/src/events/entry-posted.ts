import { defineEvent, model, nullable } from '@pacioli/core';
import { Type } from 'typebox';

/** A journal entry posted: at once, or with the close of its month (ledger L-222). */
export default defineEvent(
  'ledger.entry-posted',
  model('EntryPosted', {
    graph_id: Type.String(),
    entry_id: Type.String(),
    event_id: nullable(Type.String()),
    posting_date: Type.String(),
    currency: Type.String(),
    // The sum of the debits in minor units, as text, because it can exceed what a JSON number carries exactly.
    amount: Type.String(),
  }),
);
