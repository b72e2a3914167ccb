import { defineQuery, model, nullable } from '@pacioli/core';
import { paginationInfo } from '@pacioli/taxonomy';
import { Type } from 'typebox';
import { investments } from '../investments.ts';
import { Position, positionView } from '../models/positions.ts';
import { defaultRows, listPageOf, paginationOf } from '../values/index.ts';

export default defineQuery({
  name: 'positions',
  summary: 'Positions of every status unless one is given, newest first.',
  args: model('PositionsArgs', {
    portfolio_id: Type.Optional(nullable(Type.String())),
    security_id: Type.Optional(nullable(Type.String())),
    status: Type.Optional(nullable(Type.String())),
    limit: Type.Optional(nullable(Type.Integer())),
    offset: Type.Optional(nullable(Type.Integer())),
  }),
  returns: nullable(model('PositionList', { positions: Type.Array(Position), pagination: paginationInfo })),
  mcp: { tool: 'list-positions', hint: 'Use it to find positions by portfolio or security.' },
  services: { investments },
  cost: { points: 10, defaultRows },
  async resolve({ args, ctx, use }) {
    const { issuers, positions } = use.investments;
    const page = listPageOf(args);
    const filter = {
      portfolioId: args.portfolio_id ?? undefined,
      securityId: args.security_id ?? undefined,
      status: args.status ?? undefined,
    };
    const found = await positions.list(ctx.tx, filter, page);
    const rows = found.slice(0, page.limit);
    const ids = rows.map((row) => row.issuer_id);
    const names = await issuers.summaries(ctx.tx, ids);
    const hasMore = found.length > page.limit;
    return {
      positions: rows.map((row) => positionView(row, names)),
      pagination: paginationOf(page, { hasMore, count: () => positions.count(ctx.tx, filter) }),
    };
  },
});
