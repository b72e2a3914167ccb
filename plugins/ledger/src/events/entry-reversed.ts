import { defineEvent, model } from '@pacioli/core';
import { Type } from 'typebox';

/** The reversal of a journal entry posted (ledger L-222); the reversal itself is announced as posted too. */
export default defineEvent(
  'ledger.entry-reversed',
  model('EntryReversed', {
    graph_id: Type.String(),
    entry_id: Type.String(),
    reversal_id: Type.String(),
    posting_date: Type.String(),
  }),
);
