import { defineOperation, model, nullable, oneOf, openObject } from '@pacioli/core';
import { Type } from 'typebox';
import { bookWrites } from '../books.ts';
import { hubHandlerError } from '../event-blocks/index.ts';
import { EventHandlerResponse, handlerView, maxPriority, TransactionTemplate } from '../models/event-handler.ts';

const text = () => Type.Optional(nullable(Type.String()));

const CreateEventHandlerRequest = model('CreateEventHandlerRequest', {
  name: Type.String(),
  event_type: Type.String(),
  transaction_template: TransactionTemplate,
  description: text(),
  event_category: text(),
  match_source: text(),
  match_agent_type: text(),
  match_resource_type: text(),
  match_metadata_expression: Type.Optional(nullable(openObject())),
  priority: Type.Optional(Type.Integer({ default: 0, minimum: -maxPriority, maximum: maxPriority })),
  is_active: Type.Optional(Type.Boolean({ default: true })),
  origin: Type.Optional(oneOf(['hub', 'tenant'], { default: 'tenant' })),
  metadata: Type.Optional(openObject()),
});

export default defineOperation({
  name: 'create-event-handler',
  summary: 'Adds a rule that turns events of a type into journal entries.',
  role: 'member',
  openapi: { id: 'create_event_handler', tag: 'extensions_robo_ledger' },
  input: CreateEventHandlerRequest,
  output: EventHandlerResponse,
  services: { bookWrites },
  mcp: {
    hint: 'Adds a rule for an event type. Amounts are templates such as {{ event.amount }}; accounts are ids or code:1000.',
  },
  errors: {
    ALREADY_EXISTS: 'A handler of this graph already has the name.',
    HUB_HANDLER: { kind: 'forbidden', meaning: 'Tenants cannot create handlers of the hub.' },
    INVALID_INPUT: 'The template cannot be read, or an account that it names does not exist; the message says where.',
  },

  async handle({ input, ctx, use }) {
    if (input.origin === 'hub') throw hubHandlerError('Tenants cannot create handlers of the hub. Omit origin.');
    const handler = await use.bookWrites.handlerEditor.create(
      ctx.tx,
      {
        name: input.name,
        event_type: input.event_type,
        transaction_template: input.transaction_template,
        description: input.description ?? null,
        event_category: input.event_category ?? null,
        match_source: input.match_source ?? null,
        match_agent_type: input.match_agent_type ?? null,
        match_resource_type: input.match_resource_type ?? null,
        match_metadata_expression: input.match_metadata_expression ?? null,
        priority: input.priority ?? 0,
        is_active: input.is_active ?? true,
        approved_by: null,
        approved_at: null,
        metadata: input.metadata ?? {},
      },
      { userId: ctx.caller.userId, now: ctx.now() },
    );
    return handlerView(handler);
  },
});
