import { instant, model, nullable, openModel } from '@pacioli/core';
import { Type } from 'typebox';

const text = () => Type.Optional(nullable(Type.String()));

/** A rule of the tenant for what an event type does. */
export const EventHandlerResponse = model('EventHandlerResponse', {
  id: Type.String(),
  name: Type.String(),
  event_type: Type.String(),
  transaction_template: openModel('EventHandlerResponseTransactionTemplate'),
  priority: Type.Integer(),
  is_active: Type.Boolean(),
  origin: Type.String(),
  description: text(),
  event_category: text(),
  match_source: text(),
  match_agent_type: text(),
  match_resource_type: text(),
  match_metadata_expression: Type.Optional(nullable(openModel('EventHandlerResponseMatchMetadataExpressionType0'))),
  suggested_by: text(),
  confidence: Type.Optional(nullable(Type.Number())),
  approved_by: text(),
  approved_at: Type.Optional(nullable(instant())),
  created_at: Type.Optional(nullable(instant())),
  updated_at: Type.Optional(nullable(instant())),
  created_by: text(),
});
