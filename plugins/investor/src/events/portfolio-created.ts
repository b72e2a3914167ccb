import { defineEvent, model } from '@pacioli/core';
import { Type } from 'typebox';

/** A portfolio was created. (I-27) */
export default defineEvent(
  'investor.portfolio-created',
  model('PortfolioCreated', { graph_id: Type.String(), portfolio_id: Type.String() }),
);
