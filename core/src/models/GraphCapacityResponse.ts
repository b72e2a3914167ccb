import { Type } from 'typebox';
import { model } from '../schema/model.ts';
import tierCapacity from './TierCapacity.ts';

export default model('GraphCapacityResponse', {
  tiers: Type.Array(tierCapacity),
});
