import { defineEvent, model } from '@pacioli/core';
import { Type } from 'typebox';

/** A write changed positions of a portfolio. (I-27) */
export default defineEvent(
  'investor.positions-changed',
  model('PositionsChanged', {
    graph_id: Type.String(),
    portfolio_id: Type.String(),
    position_ids: Type.Array(Type.String()),
  }),
);
