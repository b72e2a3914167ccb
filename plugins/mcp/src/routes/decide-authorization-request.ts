import { answer, defineRoute, model, nullable, requestFacts } from '@pacioli/core';
import { Type } from 'typebox';
import { authorizationServer, neverStored, signInRequired } from '../authorization/index.ts';

const path = 'POST /v1/oauth/authorize/{request_id}/decision';

const authorizationDecisionRequest = model('AuthorizationDecisionRequest', {
  approved: Type.Boolean(),
  graph_id: Type.Optional(nullable(Type.String())),
});

export default defineRoute({
  name: 'decide-authorization-request',
  path,
  summary: 'Allows or refuses the access that an AI client requested, once.',
  openapi: { id: 'decide_authorization_request', tag: 'oauth' },
  hidden: true,
  category: null,
  limit: { maxCalls: 30, seconds: 60, per: 'user' },
  // An API key is read only to tell its owner to sign in (O-22).
  auth: ['api-key', 'bearer'],
  scopedKeys: true,
  body: authorizationDecisionRequest,
  answers: { 200: model('AuthorizationDecisionResponse', { redirect_to: Type.String() }) },
  fails: [400, 401, 403, 404, 409, 422, 429, 500],
  services: { server: authorizationServer },
  errors: {
    UNAUTHORIZED: { kind: 'unauthenticated', meaning: 'The caller did not sign in, but sent an API key.' },
    NOT_FOUND: { kind: 'not_found', meaning: 'The request expired, was answered, or belongs to another user.' },
    GRAPH_MISMATCH: { kind: 'refused', meaning: 'The graph is missing, malformed, or not that of the request.' },
    FORBIDDEN: { kind: 'forbidden', meaning: 'The user cannot read the graph, or it does not fit the request.' },
    TOO_MANY_GRANTS: { kind: 'conflict', meaning: 'The user has 200 connected apps.' },
  },
  async handle({ params, body, ctx, use }) {
    use.server.requireOn(ctx);
    const { caller, serviceUrl: issuer } = ctx;
    if (caller.credential !== 'jwt') throw signInRequired();
    const by = { caller, issuer, request: requestFacts(ctx, path) };
    return answer(200, { redirect_to: await use.server.requests.decide(params.request_id, body, by) }, neverStored);
  },
});
