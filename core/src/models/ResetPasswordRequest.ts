import { Type } from 'typebox';
import { model } from '../schema/model.ts';

export default model('ResetPasswordRequest', {
  token: Type.String(),
  new_password: Type.String(),
});
