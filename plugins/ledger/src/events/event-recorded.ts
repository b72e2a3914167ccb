import { defineEvent, model, nullable } from '@pacioli/core';
import { Type } from 'typebox';

/** A caller, a provider or a plugin recorded an event (ledger L-222). Obligations of schedules are not announced. */
export default defineEvent(
  'ledger.event-recorded',
  model('EventRecorded', {
    graph_id: Type.String(),
    event_id: Type.String(),
    event_type: Type.String(),
    event_category: Type.String(),
    status: Type.String(),
    source: Type.String(),
    external_id: nullable(Type.String()),
    // Minor units of the currency; negative for an outflow.
    amount: nullable(Type.Integer()),
    currency: Type.String(),
  }),
);
