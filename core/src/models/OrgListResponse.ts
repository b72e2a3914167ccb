import { Type } from 'typebox';
import { model } from '../schema/model.ts';
import orgResponse from './OrgResponse.ts';

export default model('OrgListResponse', {
  orgs: Type.Array(orgResponse),
  total: Type.Integer(),
});
