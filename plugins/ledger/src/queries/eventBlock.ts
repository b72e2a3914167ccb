import { defineQuery, model, nullable } from '@pacioli/core';
import { Type } from 'typebox';
import { books } from '../books.ts';
import { EventBlock } from '../models/event-block.ts';
import { eventView } from '../models/event-view.ts';

export default defineQuery({
  name: 'eventBlock',
  summary: 'One recorded event.',
  args: model('EventBlockArgs', { id: Type.String() }),
  returns: nullable(EventBlock),
  mcp: { tool: 'get-event-block', hint: 'Reads one event by its id.' },
  services: { books },
  async resolve({ args, ctx, use }) {
    const row = await use.books.events.find(ctx.tx, args.id);
    return row === undefined ? null : eventView(row);
  },
});
