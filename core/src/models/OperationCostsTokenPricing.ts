import { openModel } from '../schema/model.ts';

export default openModel(
  'OperationCostsTokenPricing',
) /* CHECK additionalProperties {"$ref": "#/components/schemas/TokenPricing"} */;
