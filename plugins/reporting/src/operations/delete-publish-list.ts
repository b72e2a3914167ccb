import { defineOperation, model } from '@pacioli/core';
import { Type } from 'typebox';
import { deleteList } from '../distribution/index.ts';
import { DeleteResult } from '../models/DeleteResult.ts';

export default defineOperation({
  name: 'delete-publish-list',
  summary: 'Deletes a publish list with its members; reports that were shared stay where they are.',
  role: 'member',
  effect: 'destructive',
  domain: 'ledger',
  openapi: { id: 'delete_publish_list', tag: 'extensions_robo_ledger' },
  input: model('DeletePublishListOperation', { list_id: Type.String() }),
  output: DeleteResult,
  mcp: { held: 'Decides who receives reports.' },
  errors: {
    NOT_AUTHOR: { kind: 'forbidden', meaning: 'Another user created the list.' },
    NOT_FOUND: 'The graph has no list with this id.',
  },

  async handle({ input, ctx }) {
    await deleteList({ tx: ctx.tx, userId: ctx.caller.userId, now: ctx.now() }, input.list_id);
    return { deleted: true };
  },
});
