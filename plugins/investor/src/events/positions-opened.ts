import { defineEvent, model } from '@pacioli/core';
import { Type } from 'typebox';

/** A write added positions to a portfolio. (I-27) */
export default defineEvent(
  'investor.positions-opened',
  model('PositionsOpened', {
    graph_id: Type.String(),
    portfolio_id: Type.String(),
    position_ids: Type.Array(Type.String()),
  }),
);
