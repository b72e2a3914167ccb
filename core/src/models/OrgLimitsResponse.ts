import { Type } from 'typebox';
import { model } from '../schema/model.ts';
import orgLimitsResponseCurrentUsage from './OrgLimitsResponseCurrentUsage.ts';

export default model('OrgLimitsResponse', {
  org_id: Type.String(),
  max_graphs: Type.Integer(),
  current_usage: orgLimitsResponseCurrentUsage,
  warnings: Type.Array(Type.String()),
  can_create_graph: Type.Boolean(),
});
