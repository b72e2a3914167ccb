import { defineRelationship } from '@pacioli/core';
import { Portfolio } from './Portfolio.ts';
import { Trade } from './Trade.ts';

/** Reserved; never filled. */
export const PORTFOLIO_HAS_TRADE = defineRelationship('PORTFOLIO_HAS_TRADE', Portfolio, Trade, {
  extension: 'investor',
});
