import { Type } from 'typebox';
import { model } from '../schema/model.ts';
import graphMemberResponse from './GraphMemberResponse.ts';

export default model('GraphMemberListResponse', {
  members: Type.Array(graphMemberResponse),
  total: Type.Integer(),
  graph_id: Type.String(),
});
