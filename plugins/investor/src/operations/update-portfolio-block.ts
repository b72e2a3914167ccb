import { defineOperation, model, nullable, type WriteContext } from '@pacioli/core';
import { Type } from 'typebox';
import portfolioUpdated from '../events/portfolio-updated.ts';
import positionsChanged from '../events/positions-changed.ts';
import positionsDisposed from '../events/positions-disposed.ts';
import positionsOpened from '../events/positions-opened.ts';
import { investments } from '../investments.ts';
import {
  cents,
  currency,
  longText,
  maxPositionsPerCall,
  optionalDate,
  PortfolioBlockEnvelope,
  PortfolioBlockPositionAdd,
  quantity,
  quantityType,
  shortText,
} from '../models/portfolios.ts';
import type { ChangedPositions } from '../portfolios/index.ts';

const PortfolioBlockPortfolioPatch = model('PortfolioBlockPortfolioPatch', {
  name: Type.Optional(nullable(Type.String())),
  description: longText(),
  strategy: shortText(),
  inception_date: optionalDate(),
  base_currency: Type.Optional(nullable(currency())),
  entity_id: Type.Optional(nullable(Type.String())),
});

const PortfolioBlockPositionUpdate = model('PortfolioBlockPositionUpdate', {
  id: Type.String(),
  quantity: Type.Optional(nullable(quantity())),
  quantity_type: Type.Optional(nullable(quantityType())),
  cost_basis: Type.Optional(nullable(cents())),
  current_value: Type.Optional(nullable(cents())),
  valuation_date: optionalDate(),
  valuation_source: shortText(),
  acquisition_date: optionalDate(),
  notes: longText(),
});

const PortfolioBlockPositionDispose = model(
  'PortfolioBlockPositionDispose',
  { id: Type.String(), disposition_reason: longText() },
  { fields: { disposition_reason: 'Stored with the position.' } },
);

const atMost = { maxItems: maxPositionsPerCall };

const UpdatePortfolioBlockOperation = model('UpdatePortfolioBlockOperation', {
  portfolio_id: Type.String(),
  portfolio: Type.Optional(PortfolioBlockPortfolioPatch),
  positions: Type.Optional(
    model(
      'PortfolioBlockPositions',
      {
        add: Type.Optional(Type.Array(PortfolioBlockPositionAdd, atMost)),
        update: Type.Optional(Type.Array(PortfolioBlockPositionUpdate, atMost)),
        dispose: Type.Optional(Type.Array(PortfolioBlockPositionDispose, atMost)),
      },
      {
        fields: {
          add: 'New positions; added after the disposals, so that a lot can be replaced in one call.',
          update: 'Changes of positions. Only values, dates, sources and notes of a disposed one can be changed.',
          dispose: 'Positions that are no longer held, as of today in UTC.',
        },
      },
    ),
  ),
});

export default defineOperation({
  name: 'update-portfolio-block',
  summary: 'Changes a portfolio, and adds, changes and disposes of positions, all or nothing.',
  role: 'member',
  openapi: { id: 'update_portfolio_block', tag: 'extensions_robo_investor' },
  input: UpdatePortfolioBlockOperation,
  output: PortfolioBlockEnvelope,
  mcp: { hint: 'Changes a portfolio: disposals, changes and additions of positions in one step, all or nothing.' },
  services: { investments },
  stale: 'portfolio_block_updated',
  emits: [portfolioUpdated, positionsOpened, positionsChanged, positionsDisposed],
  errors: {
    NOT_FOUND: 'The graph has no portfolio, securities, position or entity with these ids; the message says which.',
    SECURITY_INACTIVE: { kind: 'conflict', meaning: 'A deleted security takes no new positions.' },
    ALREADY_HELD: { kind: 'conflict', meaning: 'The portfolio has an active position in the security already.' },
    OTHER_PORTFOLIO: { kind: 'conflict', meaning: 'A position belongs to another portfolio.' },
    POSITION_NOT_ACTIVE: {
      kind: 'conflict',
      meaning: 'A position is disposed or archived, so this cannot be changed.',
    },
    INVALID_INPUT:
      'A position is named twice, or a name, a quantity or a date is out of bounds; the message says which.',
  },

  async handle({ input, ctx, use }) {
    const { blocks, portfolioEditor } = use.investments;
    const portfolioId = input.portfolio_id;
    const { add = [], update = [], dispose = [] } = input.positions ?? {};
    const changes = await portfolioEditor.update(ctx.tx, portfolioId, {
      patch: input.portfolio ?? {},
      deltas: { add, update, dispose },
      by: { userId: ctx.caller.userId, now: ctx.now() },
    });
    emitChanges(ctx, portfolioId, changes);
    const block = await blocks.block(ctx.tx, portfolioId, ctx.log);
    if (block === undefined) throw new Error('A locked portfolio no longer exists.');
    return block;
  },
});

function emitChanges(ctx: WriteContext, portfolioId: string, changes: ChangedPositions): void {
  const ids = { graph_id: ctx.graph.id, portfolio_id: portfolioId };
  ctx.emit(portfolioUpdated, ids);
  const { opened, changed, disposed } = changes;
  if (opened.length > 0) ctx.emit(positionsOpened, { ...ids, position_ids: [...opened] });
  if (changed.length > 0) ctx.emit(positionsChanged, { ...ids, position_ids: [...changed] });
  if (disposed.length > 0) ctx.emit(positionsDisposed, { ...ids, position_ids: [...disposed] });
}
