import { Type } from 'typebox';
import { model, nullable } from '../schema/model.ts';
import mfaVerifyRequestAssertionType0 from './MfaVerifyRequestAssertionType0.ts';

export default model('MfaVerifyRequest', {
  mfa_token: Type.String(),
  assertion: Type.Optional(nullable(mfaVerifyRequestAssertionType0)),
  recovery_code: Type.Optional(nullable(Type.String())),
});
