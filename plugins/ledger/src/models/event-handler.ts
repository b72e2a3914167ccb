import { instant, model, nullable, openObject } from '@pacioli/core';
import { Type } from 'typebox';
import type { HandlerRow } from '../event-blocks/index.ts';

const text = () => Type.Optional(nullable(Type.String()));

/** A rule of the tenant that turns events of a type into journal entries. */
export const EventHandlerResponse = model('EventHandlerResponse', {
  id: Type.String(),
  name: Type.String(),
  event_type: Type.String(),
  transaction_template: openObject(),
  priority: Type.Integer(),
  is_active: Type.Boolean(),
  origin: Type.String(),
  description: text(),
  event_category: text(),
  match_source: text(),
  match_agent_type: text(),
  match_resource_type: text(),
  match_metadata_expression: Type.Optional(nullable(openObject())),
  suggested_by: text(),
  confidence: Type.Optional(nullable(Type.Number())),
  approved_by: text(),
  approved_at: Type.Optional(nullable(instant())),
  created_at: Type.Optional(nullable(instant())),
  updated_at: Type.Optional(nullable(instant())),
  created_by: text(),
});

const Leg = model('TransactionTemplateLeg', { element_id: Type.String(), amount: Type.String() });

/**
 * The entries that a handler creates. Further fields (`when`, `lines`) are read from the raw request (ledger L-105).
 */
export const TransactionTemplate = model('TransactionTemplate', {
  transactions: Type.Array(
    model('TransactionTemplateItem', {
      entry_template: model('TransactionTemplateEntry', { debit: Leg, credit: Leg }),
    }),
  ),
});

export const maxPriority = 2_147_483_647;

/** A handler as the wire shows it. */
export function handlerView(row: HandlerRow) {
  const { version: _version, metadata: _metadata, ...fields } = row;
  return {
    ...fields,
    transaction_template: { ...row.transaction_template },
    match_metadata_expression: row.match_metadata_expression === null ? null : { ...row.match_metadata_expression },
    approved_at: row.approved_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
