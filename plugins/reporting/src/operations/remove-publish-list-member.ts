import { defineOperation, model, notFound } from '@pacioli/core';
import { Type } from 'typebox';
import { removeMember } from '../distribution/index.ts';
import { DeleteResult } from '../models/DeleteResult.ts';

export default defineOperation({
  name: 'remove-publish-list-member',
  summary: 'Removes one graph from a publish list; reports that were shared with it stay there.',
  role: 'member',
  effect: 'destructive',
  domain: 'ledger',
  openapi: { id: 'remove_publish_list_member', tag: 'extensions_robo_ledger' },
  input: model('RemovePublishListMemberOperation', { list_id: Type.String(), member_id: Type.String() }),
  output: DeleteResult,
  mcp: { held: 'Decides who receives reports.' },
  errors: {
    NOT_AUTHOR: { kind: 'forbidden', meaning: 'Another user created the list.' },
    NOT_FOUND: 'The graph has no list with this id, or the list no such member.',
  },

  async handle({ input, ctx }) {
    const work = { tx: ctx.tx, userId: ctx.caller.userId, now: ctx.now() };
    const isRemoved = await removeMember(work, { listId: input.list_id, memberId: input.member_id });
    if (!isRemoved) throw notFound('Publish list member not found.');
    return { deleted: true };
  },
});
