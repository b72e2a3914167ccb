import { defineRelationship } from '@pacioli/core';
import { Security } from './Security.ts';
import { Trade } from './Trade.ts';

/** Reserved; never filled. */
export const TRADE_INVOLVES_SECURITY = defineRelationship('TRADE_INVOLVES_SECURITY', Trade, Security, {
  extension: 'investor',
});
