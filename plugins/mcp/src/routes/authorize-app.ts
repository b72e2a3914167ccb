import { answer, defineRoute, model } from '@pacioli/core';
import { Type } from 'typebox';
import {
  authorizationServer,
  neverStored,
  noBody,
  OAuthError,
  oauthAnswer,
  oauthRefusals,
} from '../authorization/index.ts';

const parameter = Type.Optional(Type.String());

const authorizeQuery = model('AuthorizeQuery', {
  client_id: parameter,
  redirect_uri: parameter,
  response_type: parameter,
  response_mode: parameter,
  code_challenge: parameter,
  code_challenge_method: parameter,
  scope: parameter,
  state: parameter,
  resource: parameter,
});

export default defineRoute({
  name: 'authorize-app',
  path: 'GET /v1/oauth/authorize',
  summary: 'Begins the authorization of an AI client and redirects to the consent page.',
  openapi: { id: 'authorize_app', tag: 'oauth' },
  hidden: true,
  category: null,
  limit: { maxCalls: 30, seconds: 60, per: 'ip' },
  auth: [],
  query: authorizeQuery,
  answers: { 302: noBody, ...oauthRefusals },
  fails: [400, 404, 429, 500],
  services: { server: authorizationServer },
  async handle({ query, ctx, use }) {
    use.server.requireOn(ctx);
    const answered = await oauthAnswer(async () => {
      // Checked before the client is known, so nobody is redirected: the client and this server may use different values.
      if (ctx.repeatedQuery.length > 0) throw new OAuthError('invalid_request', 'A parameter must not be repeated.');
      const location = await use.server.requests.begin(query, ctx.serviceUrl);
      return answer(302, undefined, { ...neverStored, Location: location, 'Referrer-Policy': 'no-referrer' });
    });
    // The user sees this response, so it never challenges the browser for credentials (O-20).
    return answered.status === 401 ? answer(400, answered.body, neverStored) : answered;
  },
});
