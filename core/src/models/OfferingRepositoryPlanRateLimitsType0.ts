import { openModel } from '../schema/model.ts';

export default openModel(
  'OfferingRepositoryPlanRateLimitsType0',
) /* CHECK additionalProperties {"type": ["integer", "null"]} */;
