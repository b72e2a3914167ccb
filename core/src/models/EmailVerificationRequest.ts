import { Type } from 'typebox';
import { model } from '../schema/model.ts';

export default model('EmailVerificationRequest', {
  token: Type.String(),
});
