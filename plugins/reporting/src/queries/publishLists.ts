import { defineQuery, model, nullable, pageOf } from '@pacioli/core';
import { paginationInfo } from '@pacioli/taxonomy';
import { Type } from 'typebox';
import { listLists } from '../distribution/index.ts';
import { PublishList, shownList } from '../models/PublishList.ts';

export default defineQuery({
  name: 'publishLists',
  summary: 'The publish lists of the graph by name.',
  args: model('PublishListsArgs', {
    limit: Type.Optional(nullable(Type.Integer())),
    offset: Type.Optional(nullable(Type.Integer())),
  }),
  returns: nullable(model('PublishListList', { publish_lists: Type.Array(PublishList), pagination: paginationInfo })),
  cost: { points: 10, maxRows: 200 },
  async resolve({ args, ctx }) {
    const page = pageOf(args, { defaultLimit: 50, maxLimit: 200 });
    const { rows, total } = await listLists(ctx.tx, page);
    return {
      publish_lists: rows.map(shownList),
      pagination: { total, ...page, has_more: page.offset + rows.length < total },
    };
  },
});
