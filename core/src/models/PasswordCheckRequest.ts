import { Type } from 'typebox';
import { model, nullable } from '../schema/model.ts';

export default model('PasswordCheckRequest', {
  password: Type.String(),
  email: Type.Optional(nullable(Type.String())),
});
