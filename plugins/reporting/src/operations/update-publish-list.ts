import { defineOperation, model, nullable, ServiceError } from '@pacioli/core';
import { Type } from 'typebox';
import { updateList } from '../distribution/index.ts';
import { PublishListResponse, shownList } from '../models/PublishList.ts';

export default defineOperation({
  name: 'update-publish-list',
  summary: 'Changes the name or the description of a publish list; empty text clears the description.',
  role: 'member',
  domain: 'ledger',
  openapi: { id: 'update_publish_list', tag: 'extensions_robo_ledger' },
  input: model('UpdatePublishListOperation', {
    list_id: Type.String(),
    name: Type.Optional(nullable(Type.String())),
    description: Type.Optional(nullable(Type.String())),
  }),
  output: PublishListResponse,
  mcp: { held: 'Decides who receives reports.' },
  errors: {
    NO_FIELDS: { kind: 'refused', meaning: 'The request has no field to change.' },
    INVALID_INPUT: 'The name is blank or too long.',
    NOT_AUTHOR: { kind: 'forbidden', meaning: 'Another user created the list.' },
    NOT_FOUND: 'The graph has no list with this id.',
    PUBLISH_LIST_EXISTS: { kind: 'conflict', meaning: 'The graph has a publish list with this name.' },
  },

  async handle({ input, ctx }) {
    const change = { name: input.name ?? undefined, description: input.description ?? undefined };
    if (change.name === undefined && change.description === undefined) {
      throw new ServiceError('refused', 'NO_FIELDS', 'No fields provided for update.');
    }
    const work = { tx: ctx.tx, userId: ctx.caller.userId, now: ctx.now() };
    return shownList(await updateList(work, input.list_id, change));
  },
});
