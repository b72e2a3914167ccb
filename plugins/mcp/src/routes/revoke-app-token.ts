import { answer, defineRoute, openObject } from '@pacioli/core';
import {
  authorizationServer,
  credentialsOf,
  neverStored,
  OAuthError,
  oauthAnswer,
  oauthRefusals,
  parseForm,
} from '../authorization/index.ts';

export default defineRoute({
  name: 'revoke-app-token',
  path: 'POST /v1/oauth/revoke',
  summary: 'Ends a token of the AI client that calls (RFC 7009).',
  openapi: { id: 'revoke_app_token', tag: 'oauth' },
  hidden: true,
  category: null,
  limit: { maxCalls: 600, seconds: 60, per: 'ip' },
  auth: [],
  rawBody: true,
  answers: { 200: openObject(), ...oauthRefusals },
  fails: [400, 401, 404, 413, 429, 500],
  services: { server: authorizationServer },
  async handle({ ctx, use: { server } }) {
    server.requireOn(ctx);
    return oauthAnswer(async () => {
      const form = parseForm(ctx.header('content-type'), ctx.rawBody);
      const client = await server.clients.authenticate(credentialsOf(ctx.header('authorization'), form));
      const token = form.get('token');
      if (token === undefined) throw new OAuthError('invalid_request', 'Send the token.');
      await server.exchange.revoke(token, client);
      return answer(200, {}, neverStored);
    });
  },
});
