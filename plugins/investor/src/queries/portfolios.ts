import { defineQuery, model, nullable } from '@pacioli/core';
import { paginationInfo } from '@pacioli/taxonomy';
import { Type } from 'typebox';
import { investments } from '../investments.ts';
import { Portfolio, portfolioView } from '../models/portfolios.ts';
import { defaultRows, listPageOf, paginationOf } from '../values/index.ts';

export default defineQuery({
  name: 'portfolios',
  summary: 'Portfolios by name, without their positions.',
  args: model('PortfoliosArgs', {
    limit: Type.Optional(nullable(Type.Integer())),
    offset: Type.Optional(nullable(Type.Integer())),
  }),
  returns: nullable(model('PortfolioList', { portfolios: Type.Array(Portfolio), pagination: paginationInfo })),
  mcp: { tool: 'list-portfolios', hint: 'Look here for the id of a portfolio.' },
  services: { investments },
  cost: { points: 10, defaultRows },
  async resolve({ args, ctx, use }) {
    const { portfolios } = use.investments;
    const page = listPageOf(args);
    const found = await portfolios.list(ctx.tx, page);
    const hasMore = found.length > page.limit;
    return {
      portfolios: found.slice(0, page.limit).map(portfolioView),
      pagination: paginationOf(page, { hasMore, count: () => portfolios.count(ctx.tx) }),
    };
  },
});
