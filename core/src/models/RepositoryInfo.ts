import { Type } from 'typebox';
import { model } from '../schema/model.ts';
import offeringRepositoryPlan from './OfferingRepositoryPlan.ts';

export default model('RepositoryInfo', {
  type: Type.String(),
  name: Type.String(),
  description: Type.String(),
  enabled: Type.Boolean(),
  coming_soon: Type.Boolean(),
  plans: Type.Array(offeringRepositoryPlan),
});
