import { defineOperation, model, nullable, openObject } from '@pacioli/core';
import { Type } from 'typebox';
import { bookWrites } from '../books.ts';
import { EventHandlerResponse, handlerView, maxPriority, TransactionTemplate } from '../models/event-handler.ts';

const text = () => Type.Optional(nullable(Type.String()));

const UpdateEventHandlerRequest = model('UpdateEventHandlerRequest', {
  event_handler_id: Type.String(),
  name: text(),
  description: text(),
  event_category: text(),
  match_source: text(),
  match_agent_type: text(),
  match_resource_type: text(),
  match_metadata_expression: Type.Optional(nullable(openObject())),
  transaction_template: Type.Optional(nullable(TransactionTemplate)),
  priority: Type.Optional(nullable(Type.Integer({ minimum: -maxPriority, maximum: maxPriority }))),
  is_active: Type.Optional(nullable(Type.Boolean())),
  approve: Type.Optional(nullable(Type.Boolean())),
  metadata_patch: Type.Optional(openObject()),
});

export default defineOperation({
  name: 'update-event-handler',
  summary: 'Changes a rule, approves it, or switches it off; omitted fields are left unchanged.',
  role: 'member',
  openapi: { id: 'update_event_handler', tag: 'extensions_robo_ledger' },
  input: UpdateEventHandlerRequest,
  output: EventHandlerResponse,
  mcp: { hint: 'Changes a rule for events, approves it or switches it off.', idempotent: true },
  services: { bookWrites },
  errors: {
    NOT_FOUND: 'No handler of this graph has the id.',
    ALREADY_EXISTS: 'Another handler of this graph already has the name.',
    HUB_HANDLER: { kind: 'forbidden', meaning: 'Only is_active of a handler of the hub can change.' },
    INVALID_INPUT: 'The template cannot be read, or an account that it names does not exist; the message says where.',
  },

  async handle({ input, ctx, use }) {
    const change = {
      id: input.event_handler_id,
      name: input.name ?? null,
      description: input.description ?? null,
      event_category: input.event_category ?? null,
      match_source: input.match_source ?? null,
      match_agent_type: input.match_agent_type ?? null,
      match_resource_type: input.match_resource_type ?? null,
      match_metadata_expression: input.match_metadata_expression ?? null,
      transaction_template: input.transaction_template ?? null,
      priority: input.priority ?? null,
      is_active: input.is_active ?? null,
      approve: input.approve ?? null,
      metadata_patch: input.metadata_patch ?? {},
    };
    return handlerView(
      await use.bookWrites.handlerEditor.update(ctx.tx, change, { userId: ctx.caller.userId, now: ctx.now() }),
    );
  },
});
