import { defineEvent, model } from '@pacioli/core';
import { Type } from 'typebox';

/** A portfolio or one of its positions was changed. (I-27) */
export default defineEvent(
  'investor.portfolio-updated',
  model('PortfolioUpdated', { graph_id: Type.String(), portfolio_id: Type.String() }),
);
