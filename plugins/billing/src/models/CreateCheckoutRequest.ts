import { model } from '@pacioli/core';
import { Type } from 'typebox';
import createCheckoutRequestResourceConfig from './CreateCheckoutRequestResourceConfig.ts';

export default model('CreateCheckoutRequest', {
  plan_name: Type.String(),
  resource_type: Type.String(),
  resource_config: createCheckoutRequestResourceConfig,
});
