import { Type } from 'typebox';
import { model, nullable } from '../schema/model.ts';
import authResponse from './AuthResponse.ts';
import passkeyInfo from './PasskeyInfo.ts';

export default model('PasskeyRegisterVerifyResponse', {
  passkey: passkeyInfo,
  recovery_codes: Type.Optional(nullable(Type.Array(Type.String()))),
  auth: Type.Optional(nullable(authResponse)),
});
