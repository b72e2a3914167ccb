import { Type } from 'typebox';
import { model, nullable, oneOf, openModel } from '../schema/model.ts';

export const authResponseOrgType0 = openModel('AuthResponseOrgType0');

export const authResponseUser = openModel('AuthResponseUser');

export default model('AuthResponse', {
  user: authResponseUser,
  message: Type.String(),
  org: Type.Optional(nullable(authResponseOrgType0)),
  status: Type.Optional(
    oneOf(['authenticated', 'mfa_enrollment_required', 'mfa_required'], { default: 'authenticated' }),
  ),
  mfa_token: Type.Optional(nullable(Type.String())),
  token: Type.Optional(nullable(Type.String())),
  expires_in: Type.Optional(nullable(Type.Integer())),
  refresh_threshold: Type.Optional(nullable(Type.Integer())),
});
