import { Type } from 'typebox';
import { model } from '../schema/model.ts';

export default model('TierCapacity', {
  tier: Type.String(),
  display_name: Type.String(),
  status: Type.String(),
  message: Type.String(),
});
