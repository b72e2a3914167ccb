import { Type } from 'typebox';
import { model, nullable } from '../schema/model.ts';

export default model('ResetPasswordValidateResponse', {
  valid: Type.Boolean(),
  email: Type.Optional(nullable(Type.String())),
});
