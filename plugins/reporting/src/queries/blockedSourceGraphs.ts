import { defineQuery, model, nullable, pageOf } from '@pacioli/core';
import { paginationInfo } from '@pacioli/taxonomy';
import { Type } from 'typebox';
import { listBlocks } from '../distribution/index.ts';
import { BlockedSourceGraph, shownBlock } from '../models/PublishList.ts';

export default defineQuery({
  name: 'blockedSourceGraphs',
  summary: 'The graphs whose reports this graph refuses, newest first.',
  args: model('BlockedSourceGraphsArgs', {
    limit: Type.Optional(nullable(Type.Integer())),
    offset: Type.Optional(nullable(Type.Integer())),
  }),
  returns: nullable(
    model('BlockedSourceGraphList', {
      blocked_source_graphs: Type.Array(BlockedSourceGraph),
      pagination: paginationInfo,
    }),
  ),
  cost: { points: 20, maxRows: 200 },
  async resolve({ args, ctx }) {
    const page = pageOf(args, { defaultLimit: 50, maxLimit: 200 });
    const { rows, total } = await listBlocks(ctx.tx, page);
    return {
      blocked_source_graphs: rows.map(shownBlock),
      pagination: { total, ...page, has_more: page.offset + rows.length < total },
    };
  },
});
