import { Type } from 'typebox';
import { model } from '../schema/model.ts';

export default model('GraphTierInstance', {
  type: Type.String(),
  memory_mb: Type.Integer(),
  is_multitenant: Type.Boolean(),
});
