import { Type } from 'typebox';
import { model, nullable } from '../schema/model.ts';

export default model('RegisterRequest', {
  name: Type.String(),
  email: Type.String(),
  password: Type.String(),
  captcha_token: Type.Optional(nullable(Type.String())),
  invite_token: Type.Optional(nullable(Type.String())),
});
