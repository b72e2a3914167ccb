import { answer, defineRoute, model, nullable } from '@pacioli/core';
import { Type } from 'typebox';
import { authorizationServer, neverStored, signInRequired } from '../authorization/index.ts';

const authorizationRequestResponse = model('AuthorizationRequestResponse', {
  client_name: Type.String(),
  client_uri: nullable(Type.String()),
  logo_uri: nullable(Type.String()),
  is_trusted: Type.Boolean(),
  resembles: nullable(Type.String()),
  redirect_host: Type.String(),
  is_loopback_redirect: Type.Boolean(),
  resource: Type.String(),
  graph_id: nullable(Type.String()),
  profile: nullable(Type.String()),
  scope: Type.String(),
});

export default defineRoute({
  name: 'get-authorization-request',
  path: 'GET /v1/oauth/authorize/{request_id}',
  summary: 'Returns the authorization request that the signed-in user decides about.',
  openapi: { id: 'get_authorization_request', tag: 'oauth' },
  hidden: true,
  category: null,
  limit: { maxCalls: 30, seconds: 60, per: 'user' },
  // An API key is read only to tell its owner to sign in (O-22).
  auth: ['api-key', 'bearer'],
  scopedKeys: true,
  answers: { 200: authorizationRequestResponse },
  fails: [401, 404, 429, 500],
  services: { server: authorizationServer },
  errors: {
    UNAUTHORIZED: { kind: 'unauthenticated', meaning: 'The caller did not sign in, but sent an API key.' },
    NOT_FOUND: { kind: 'not_found', meaning: 'The request expired, was answered, or belongs to another user.' },
  },
  async handle({ params, ctx, use }) {
    use.server.requireOn(ctx);
    if (ctx.caller.credential !== 'jwt') throw signInRequired();
    return answer(200, await use.server.requests.details(params.request_id, ctx.caller), neverStored);
  },
});
