import { Type } from 'typebox';
import { model, openObject } from '../schema/model.ts';

export default model('OrgLimitsResponse', {
  org_id: Type.String(),
  max_graphs: Type.Integer(),
  current_usage: openObject(),
  warnings: Type.Array(Type.String()),
  can_create_graph: Type.Boolean(),
});
