import { Type } from 'typebox';
import { model } from '../schema/model.ts';

export default model('UpdatePasswordRequest', {
  current_password: Type.String(),
  new_password: Type.String(),
  confirm_password: Type.String(),
});
