import { model, openObject } from '@pacioli/core';
import { Type } from 'typebox';

export default model('CreateCheckoutRequest', {
  plan_name: Type.String(),
  resource_type: Type.String(),
  resource_config: openObject(),
});
