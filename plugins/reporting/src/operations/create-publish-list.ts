import { defineOperation, kernel, model, nullable } from '@pacioli/core';
import { Type } from 'typebox';
import { createList } from '../distribution/index.ts';
import { PublishListResponse, shownList } from '../models/PublishList.ts';

export default defineOperation({
  name: 'create-publish-list',
  summary: 'Creates a list of graphs to share reports with; members are added afterwards.',
  role: 'member',
  domain: 'ledger',
  openapi: { id: 'create_publish_list', tag: 'extensions_robo_ledger' },
  input: model('CreatePublishListRequest', {
    name: Type.String(),
    description: Type.Optional(nullable(Type.String())),
  }),
  output: PublishListResponse,
  mcp: { held: 'Decides who receives reports.' },
  services: { ids: kernel.ids },
  errors: {
    INVALID_INPUT: 'The name is blank or too long, or the graph has too many lists.',
    PUBLISH_LIST_EXISTS: { kind: 'conflict', meaning: 'The graph has a publish list with this name.' },
  },

  async handle({ input, ctx, use }) {
    const work = { tx: ctx.tx, userId: ctx.caller.userId, now: ctx.now() };
    const given = { name: input.name, description: input.description ?? undefined };
    return shownList(await createList(work, use.ids, given));
  },
});
