import { defineOperation, model } from '@pacioli/core';
import { Type } from 'typebox';
import portfolioDeleted from '../events/portfolio-deleted.ts';
import { investments } from '../investments.ts';

export default defineOperation({
  name: 'delete-portfolio-block',
  summary: 'Deletes a portfolio with all its positions; securities stay.',
  role: 'member',
  openapi: { id: 'delete_portfolio_block', tag: 'extensions_robo_investor' },
  input: model(
    'DeletePortfolioBlockOperation',
    { portfolio_id: Type.String(), confirm_active_positions: Type.Optional(Type.Boolean({ default: false })) },
    { fields: { confirm_active_positions: 'Must be true if the portfolio has active positions.' } },
  ),
  output: model(
    'DeletePortfolioBlockResponse',
    { deleted: Type.Boolean(), portfolio_id: Type.String(), positions_deleted: Type.Integer() },
    { fields: { positions_deleted: 'Positions of every status.' } },
  ),
  mcp: {
    hint: 'Deletes a portfolio with its positions; active positions need confirm_active_positions.',
    destructive: true,
    idempotent: true,
    confirmation: 'Deletes the portfolio with all of its positions.',
  },
  services: { investments },
  stale: 'portfolio_block_deleted',
  emits: [portfolioDeleted],
  errors: {
    NOT_FOUND: 'The graph has no portfolio with this id.',
    ACTIVE_POSITIONS: {
      kind: 'conflict',
      meaning: 'The portfolio has active positions, and the request does not confirm.',
    },
  },

  async handle({ input, ctx, use }) {
    const { portfolio_id: portfolioId, confirm_active_positions: isConfirmed = false } = input;
    const removed = await use.investments.portfolioEditor.remove(ctx.tx, portfolioId, isConfirmed);
    ctx.emit(portfolioDeleted, { graph_id: ctx.graph.id, portfolio_id: portfolioId });
    return { deleted: true, portfolio_id: portfolioId, positions_deleted: removed };
  },
});
