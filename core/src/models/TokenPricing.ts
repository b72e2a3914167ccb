import { Type } from 'typebox';
import { model } from '../schema/model.ts';

export default model('TokenPricing', {
  input_per_1k_tokens: Type.Number(),
  output_per_1k_tokens: Type.Number(),
});
