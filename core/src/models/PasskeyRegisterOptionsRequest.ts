import { Type } from 'typebox';
import { model, nullable } from '../schema/model.ts';
import passkeyRegisterOptionsRequestAssertionType0 from './PasskeyRegisterOptionsRequestAssertionType0.ts';

export default model('PasskeyRegisterOptionsRequest', {
  mfa_token: Type.Optional(nullable(Type.String())),
  password: Type.Optional(nullable(Type.String())),
  assertion: Type.Optional(nullable(passkeyRegisterOptionsRequestAssertionType0)),
});
