import { Type } from 'typebox';
import { model, nullable, openObject } from '../schema/model.ts';

export default model('MfaVerifyRequest', {
  mfa_token: Type.String(),
  assertion: Type.Optional(nullable(openObject())),
  recovery_code: Type.Optional(nullable(Type.String())),
});
