import { Type } from 'typebox';
import { model, nullable, openObject } from '../schema/model.ts';

export default model('PasskeyRegisterOptionsRequest', {
  mfa_token: Type.Optional(nullable(Type.String())),
  password: Type.Optional(nullable(Type.String())),
  assertion: Type.Optional(nullable(openObject())),
});
