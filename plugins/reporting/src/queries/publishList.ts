import { defineQuery, model, nullable } from '@pacioli/core';
import { Type } from 'typebox';
import { findList, listMembers } from '../distribution/index.ts';
import { PublishListDetail, shownList, shownMember } from '../models/PublishList.ts';

export default defineQuery({
  name: 'publishList',
  summary: 'One publish list with its members; null if the graph has no such list.',
  args: model('PublishListArgs', { list_id: Type.String() }),
  returns: nullable(PublishListDetail),
  cost: { points: 20 },
  async resolve({ args, ctx }) {
    const list = await findList(ctx.tx, args.list_id);
    if (list === undefined) return null;
    return { ...shownList(list), members: (await listMembers(ctx.tx, list.id)).map(shownMember) };
  },
});
