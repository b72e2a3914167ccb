import { defineQuery, model } from '@pacioli/core';
import { Type } from 'typebox';
import { books } from '../books.ts';
import { EventBlock } from '../models/event-block.ts';
import { eventView } from '../models/event-view.ts';
import { bookPageOf } from '../values/index.ts';

export default defineQuery({
  name: 'eventBlocks',
  summary: 'Recorded events, newest first.',
  args: model('EventBlocksArgs', {
    event_type: Type.Optional(Type.String()),
    event_category: Type.Optional(Type.String()),
    status: Type.Optional(Type.String()),
    agent_id: Type.Optional(Type.String()),
    source: Type.Optional(Type.String()),
    is_reconciling_item: Type.Optional(Type.Boolean()),
    limit: Type.Optional(Type.Integer()),
    offset: Type.Optional(Type.Integer()),
  }),
  returns: Type.Array(EventBlock),
  mcp: { tool: 'list-event-blocks', hint: 'Filter by status or counterparty to find open work.' },
  services: { books },
  async resolve({ args, ctx, use }) {
    const filter = {
      eventType: args.event_type,
      eventCategory: args.event_category,
      status: args.status,
      agentId: args.agent_id,
      source: args.source,
      isReconcilingItem: args.is_reconciling_item,
    };
    const rows = await use.books.events.list(ctx.tx, filter, bookPageOf(args, 50));
    return rows.map(eventView);
  },
});
