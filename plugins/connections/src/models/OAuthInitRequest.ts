import { mapOf, model, nullable, type TypeOf } from '@pacioli/core';
import { Type } from 'typebox';

const oauthInitRequest = model('OAuthInitRequest', {
  connection_id: Type.String(),
  redirect_uri: Type.Optional(nullable(Type.String())),
  additional_params: Type.Optional(nullable(mapOf(Type.String()))),
});

export type OAuthInitRequest = TypeOf<typeof oauthInitRequest>;
export default oauthInitRequest;
