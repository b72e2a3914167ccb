import { instant, model, nullable, oneOf, openObject } from '@pacioli/core';
import { Type } from 'typebox';
import { resourceTypes } from '../event-blocks/index.ts';
import { maxAmount } from '../values/index.ts';

const eventCategories = [
  'adjustment',
  'approval',
  'control',
  'financing',
  'inquiry',
  'other',
  'payroll',
  'purchase',
  'recognition',
  'reconciliation',
  'sales',
  'treasury',
] as const;

/** The nineteen verbs for what happened to the resource (ledger 5.2). */
export const eventActions = [
  'accept',
  'cite',
  'combine',
  'consume',
  'copy',
  'deliverService',
  'dropoff',
  'lower',
  'modify',
  'move',
  'pickup',
  'produce',
  'raise',
  'separate',
  'transfer',
  'transferAllRights',
  'transferCustody',
  'use',
  'work',
] as const;

export type EventAction = (typeof eventActions)[number];

const text = () => Type.Optional(nullable(Type.String()));

export const CreateEventBlockRequest = model(
  'CreateEventBlockRequest',
  {
    event_type: Type.String(),
    event_category: oneOf(eventCategories),
    occurred_at: instant(),
    source: Type.String(),
    event_class: Type.Optional(oneOf(['economic', 'support'], { default: 'economic' })),
    event_action: Type.Optional(nullable(oneOf(eventActions))),
    agent_id: text(),
    resource_type: Type.Optional(nullable(oneOf(resourceTypes))),
    resource_element_id: text(),
    effective_at: Type.Optional(nullable(instant())),
    external_id: text(),
    external_url: text(),
    // Minor units; JSON carries them exactly within ±(2^53−1) (ledger L-2).
    amount: Type.Optional(nullable(Type.Integer({ minimum: -maxAmount, maximum: maxAmount }))),
    currency: Type.Optional(Type.String({ default: 'USD' })),
    description: text(),
    metadata: Type.Optional(openObject()),
    dimension_ids: Type.Optional(Type.Array(Type.String(), { maxItems: 100 })),
    obligated_by_event_id: text(),
    discharges_event_id: text(),
    apply_handlers: Type.Optional(Type.Boolean({ default: false })),
  },
  {
    fields: {
      event_type: 'What happened, such as invoice_issued or journal_entry_recorded; its handler knows the entries.',
      event_category: 'The area of the business. approval, control, inquiry and reconciliation have no entries.',
      occurred_at: 'When it happened. The posting date of an entry comes from metadata.',
      source: 'manual, system, schedule, or the source of a live connection of the graph.',
      event_class: 'economic for what changes resources, support for what prepares or explains it.',
      event_action: 'What happened to the resource; null if it does not matter.',
      agent_id: 'The counterparty, an id of create-agent.',
      resource_type: 'The kind of resource that the event concerns.',
      resource_element_id: 'The account that the event concerns, such as that of the bank.',
      effective_at: 'When it takes effect, if not when it happened.',
      external_id: 'The id in the source. A second event with it is refused with 409, whose header names the first.',
      external_url: 'A link to the original document; http or https.',
      amount: 'Minor units of the currency, such as cents; negative for an outflow.',
      currency: 'ISO 4217.',
      description: 'Free text.',
      metadata: 'What the handler of the event type needs, such as posting_date and line_items of a journal entry.',
      dimension_ids: 'Dimensions of the event, at most 100.',
      obligated_by_event_id: 'The event that committed to this one, such as the order of a delivery.',
      discharges_event_id: 'The event that this one settles, such as the invoice that a payment pays.',
      apply_handlers:
        'True writes the entries at once; false only captures the event, and update-event-block writes them.',
    },
  },
);

export const EventBlockEnvelope = model('EventBlockEnvelope', {
  id: Type.String(),
  event_type: Type.String(),
  event_category: Type.String(),
  status: Type.String(),
  occurred_at: instant(),
  source: Type.String(),
  currency: Type.String(),
  metadata: openObject(),
  dimension_ids: Type.Array(Type.String()),
  event_class: Type.String(),
  created_at: instant(),
  created_by: Type.String(),
  effective_at: Type.Optional(nullable(instant())),
  external_id: text(),
  external_url: text(),
  amount: Type.Optional(nullable(Type.Integer())),
  description: text(),
  is_reconciling_item: Type.Optional(Type.Boolean({ default: false })),
  event_action: Type.Optional(nullable(oneOf(eventActions))),
  agent_id: text(),
  resource_type: text(),
  resource_element_id: text(),
  replaced_by_event_id: text(),
  replaces_event_id: text(),
  obligated_by_event_id: text(),
  discharges_event_id: text(),
});

const graphqlText = () => nullable(Type.String());

/** An event as GraphQL shows it. */
export const EventBlock = model('EventBlock', {
  id: Type.String(),
  event_type: Type.String(),
  event_category: Type.String(),
  event_class: Type.String(),
  status: Type.String(),
  occurred_at: instant(),
  effective_at: nullable(instant()),
  source: Type.String(),
  external_id: graphqlText(),
  external_url: graphqlText(),
  amount: nullable(Type.Integer()),
  currency: Type.String(),
  description: graphqlText(),
  metadata: Type.Unsafe<unknown>({ graphql: { type: 'JSON' } }),
  is_reconciling_item: Type.Boolean(),
  dimension_ids: Type.Array(Type.String()),
  agent_id: graphqlText(),
  resource_type: graphqlText(),
  resource_element_id: graphqlText(),
  replaced_by_event_id: graphqlText(),
  replaces_event_id: graphqlText(),
  obligated_by_event_id: graphqlText(),
  discharges_event_id: graphqlText(),
  created_at: instant(),
  created_by: Type.String(),
});
