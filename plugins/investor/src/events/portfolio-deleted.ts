import { defineEvent, model } from '@pacioli/core';
import { Type } from 'typebox';

/** A portfolio was deleted, with all its positions. (I-27) */
export default defineEvent(
  'investor.portfolio-deleted',
  model('PortfolioDeleted', { graph_id: Type.String(), portfolio_id: Type.String() }),
);
