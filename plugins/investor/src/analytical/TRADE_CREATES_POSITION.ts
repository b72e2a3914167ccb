import { defineRelationship } from '@pacioli/core';
import { Position } from './Position.ts';
import { Trade } from './Trade.ts';

/** Reserved; never filled. */
export const TRADE_CREATES_POSITION = defineRelationship('TRADE_CREATES_POSITION', Trade, Position, {
  extension: 'investor',
  properties: { position_impact: 'STRING' },
});
