import { Type } from 'typebox';
import { model, nullable, oneOf, openObject } from '../schema/model.ts';

export default model('AuthResponse', {
  user: openObject(),
  message: Type.String(),
  org: Type.Optional(nullable(openObject())),
  status: Type.Optional(
    oneOf(['authenticated', 'mfa_enrollment_required', 'mfa_required'], { default: 'authenticated' }),
  ),
  mfa_token: Type.Optional(nullable(Type.String())),
  token: Type.Optional(nullable(Type.String())),
  expires_in: Type.Optional(nullable(Type.Integer())),
  refresh_threshold: Type.Optional(nullable(Type.Integer())),
});
