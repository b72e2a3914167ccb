import { answer, defineRoute, model, requestFacts } from '@pacioli/core';
import { Type } from 'typebox';
import {
  accessSeconds,
  authorizationServer,
  credentialsOf,
  neverStored,
  oauthAnswer,
  oauthRefusals,
  parseForm,
} from '../authorization/index.ts';

const path = 'POST /v1/oauth/token';

const tokenResponse = model('OAuthTokenResponse', {
  access_token: Type.String(),
  token_type: Type.String(),
  expires_in: Type.Integer(),
  refresh_token: Type.String(),
  scope: Type.String(),
});

export default defineRoute({
  name: 'issue-app-token',
  path,
  summary: 'Exchanges a code or a refresh token of an AI client for new tokens.',
  openapi: { id: 'issue_app_token', tag: 'oauth' },
  hidden: true,
  category: null,
  limit: { maxCalls: 600, seconds: 60, per: 'ip' },
  auth: [],
  rawBody: true,
  answers: { 200: tokenResponse, ...oauthRefusals },
  fails: [400, 401, 404, 413, 429, 500],
  services: { server: authorizationServer },
  async handle({ ctx, use: { server } }) {
    server.requireOn(ctx);
    return oauthAnswer(async () => {
      const form = parseForm(ctx.header('content-type'), ctx.rawBody);
      const credentials = credentialsOf(ctx.header('authorization'), form);
      const request = requestFacts(ctx, path);
      await server.admitToken(credentials, request);
      const client = await server.clients.authenticate(credentials);
      const { accessToken, refreshToken, scope } = await server.exchange.run(form, {
        client,
        issuer: ctx.serviceUrl,
        request,
      });
      const body = {
        access_token: accessToken,
        token_type: 'Bearer',
        expires_in: accessSeconds,
        refresh_token: refreshToken,
        scope,
      };
      return answer(200, body, neverStored);
    });
  },
});
