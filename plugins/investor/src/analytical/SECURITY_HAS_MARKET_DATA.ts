import { defineRelationship } from '@pacioli/core';
import { MarketData } from './MarketData.ts';
import { Security } from './Security.ts';

/** Reserved; never filled. */
export const SECURITY_HAS_MARKET_DATA = defineRelationship('SECURITY_HAS_MARKET_DATA', Security, MarketData, {
  extension: 'investor',
  properties: { data_source: 'STRING' },
});
