import { instant, model, nullable, type TypeOf } from '@pacioli/core';
import { Type } from 'typebox';

const oauthInitResponse = model('OAuthInitResponse', {
  state: Type.String(),
  expires_at: instant(),
  auth_url: Type.Optional(nullable(Type.String())),
  link_token: Type.Optional(nullable(Type.String())),
});

export type OAuthInitResponse = TypeOf<typeof oauthInitResponse>;
export default oauthInitResponse;
