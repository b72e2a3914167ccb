import { Type } from 'typebox';
import { model, nullable } from '../schema/model.ts';

export const oidcProviderInfo = model('OIDCProviderInfo', {
  enabled: Type.Boolean(),
  provider_label: Type.Optional(nullable(Type.String())),
});

export default model('AuthProvidersResponse', {
  password_auth: Type.Boolean(),
  oidc: oidcProviderInfo,
  registration: Type.Boolean(),
  passkeys: Type.Boolean(),
});
