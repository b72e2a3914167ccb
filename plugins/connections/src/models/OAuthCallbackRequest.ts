import { model, nullable, type TypeOf } from '@pacioli/core';
import { Type } from 'typebox';

const oauthCallbackRequest = model('OAuthCallbackRequest', {
  code: Type.String(),
  state: Type.String(),
  realm_id: Type.Optional(nullable(Type.String())),
  error: Type.Optional(nullable(Type.String())),
  error_description: Type.Optional(nullable(Type.String())),
});

export type OAuthCallbackRequest = TypeOf<typeof oauthCallbackRequest>;
export default oauthCallbackRequest;
