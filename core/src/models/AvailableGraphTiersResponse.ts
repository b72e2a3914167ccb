import { Type } from 'typebox';
import { model } from '../schema/model.ts';
import graphTierInfo from './GraphTierInfo.ts';

export default model('AvailableGraphTiersResponse', {
  tiers: Type.Array(graphTierInfo),
});
