import { Type } from 'typebox';
import { model, nullable } from '../schema/model.ts';
import passkeyRegisterVerifyRequestCredential from './PasskeyRegisterVerifyRequestCredential.ts';

export default model('PasskeyRegisterVerifyRequest', {
  credential: passkeyRegisterVerifyRequestCredential,
  name: Type.Optional(nullable(Type.String())),
  mfa_token: Type.Optional(nullable(Type.String())),
});
