import { Type } from 'typebox';
import { model } from '../schema/model.ts';

export default model('LoginRequest', {
  email: Type.String(),
  password: Type.String(),
});
