import { defineEvent, model } from '@pacioli/core';
import { Type } from 'typebox';

/** A write disposed of positions of a portfolio. (I-27) */
export default defineEvent(
  'investor.positions-disposed',
  model('PositionsDisposed', {
    graph_id: Type.String(),
    portfolio_id: Type.String(),
    position_ids: Type.Array(Type.String()),
  }),
);
