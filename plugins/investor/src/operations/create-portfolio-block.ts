import { defineOperation, model, nullable } from '@pacioli/core';
import { Type } from 'typebox';
import portfolioCreated from '../events/portfolio-created.ts';
import positionsOpened from '../events/positions-opened.ts';
import { investments } from '../investments.ts';
import {
  longText,
  maxPositionsPerCall,
  optionalDate,
  PortfolioBlockEnvelope,
  PortfolioBlockPositionAdd,
  shortText,
} from '../models/portfolios.ts';

const CreatePortfolioBlockRequest = model(
  'CreatePortfolioBlockRequest',
  {
    portfolio: model(
      'PortfolioBlockPortfolioFields',
      {
        name: Type.String(),
        description: longText(),
        strategy: shortText(),
        inception_date: optionalDate(),
        base_currency: Type.Optional(Type.String({ pattern: '^[A-Za-z]{3}$', default: 'USD' })),
        entity_id: Type.Optional(nullable(Type.String())),
      },
      {
        fields: {
          name: '1 to 200 characters; need not be unique.',
          base_currency: 'The currency of the totals.',
          entity_id: 'The owner, an entity of this graph.',
        },
      },
    ),
    positions: Type.Optional(Type.Array(PortfolioBlockPositionAdd, { maxItems: maxPositionsPerCall })),
  },
  { fields: { positions: 'At most 1,000, of different securities; more are added by update-portfolio-block.' } },
);

export default defineOperation({
  name: 'create-portfolio-block',
  summary: 'Creates a portfolio with its first positions in existing securities.',
  role: 'member',
  openapi: { id: 'create_portfolio_block', tag: 'extensions_robo_investor' },
  input: CreatePortfolioBlockRequest,
  output: PortfolioBlockEnvelope,
  mcp: { hint: 'Creates a portfolio with its first positions; the securities must exist.' },
  services: { investments },
  stale: 'portfolio_block_created',
  emits: [portfolioCreated, positionsOpened],
  errors: {
    NOT_FOUND: 'The graph has no entity, or no securities, with these ids; the message names all missing securities.',
    SECURITY_INACTIVE: { kind: 'conflict', meaning: 'A deleted security takes no new positions.' },
    ALREADY_HELD: { kind: 'conflict', meaning: 'Two of the positions are of one security.' },
    INVALID_INPUT: 'A name, a quantity or a date is out of bounds; the message says which.',
  },

  async handle({ input, ctx, use }) {
    const { blocks, portfolioEditor } = use.investments;
    const given = { portfolio: input.portfolio, positions: input.positions ?? [] };
    const by = { userId: ctx.caller.userId, now: ctx.now() };
    const { portfolioId, changes } = await portfolioEditor.create(ctx.tx, given, by);
    const ids = { graph_id: ctx.graph.id, portfolio_id: portfolioId };
    ctx.emit(portfolioCreated, ids);
    if (changes.opened.length > 0) ctx.emit(positionsOpened, { ...ids, position_ids: [...changes.opened] });
    const block = await blocks.block(ctx.tx, portfolioId, ctx.log);
    if (block === undefined) throw new Error('A portfolio that was written must be found.');
    return block;
  },
});
