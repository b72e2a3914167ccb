import { Type } from 'typebox';
import { model, nullable, openObject } from '../schema/model.ts';

export default model('PasskeyRegisterVerifyRequest', {
  credential: openObject(),
  name: Type.Optional(nullable(Type.String())),
  mfa_token: Type.Optional(nullable(Type.String())),
});
