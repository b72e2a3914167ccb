import { defineQuery, model, nullable } from '@pacioli/core';
import { Type } from 'typebox';
import { investments } from '../investments.ts';
import { PortfolioBlock } from '../models/portfolios.ts';

export default defineQuery({
  name: 'portfolioBlock',
  summary: 'One portfolio with its active positions and their totals; null if the graph does not have it.',
  args: model('PortfolioBlockArgs', { portfolio_id: Type.String() }),
  returns: nullable(PortfolioBlock),
  mcp: { tool: 'get-portfolio-block', hint: 'Reads a portfolio before you change it.' },
  services: { investments },
  cost: { points: 30 },
  resolve: async ({ args, ctx, use }) =>
    (await use.investments.blocks.block(ctx.tx, args.portfolio_id, ctx.log)) ?? null,
});
