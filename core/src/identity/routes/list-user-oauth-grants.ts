import { Type } from 'typebox';
import { defineRoute } from '../../define/route.ts';
import { model, nullable } from '../../schema/model.ts';
import { oauthGrants } from '../keys/oauth-grants.ts';

const oAuthGrantInfo = model('OAuthGrantInfo', {
  id: Type.String(),
  client_name: Type.String(),
  client_is_trusted: Type.Boolean(),
  graph_id: Type.String(),
  resource: Type.String(),
  scope: Type.String(),
  created_at: Type.String(),
  client_uri: Type.Optional(nullable(Type.String())),
  graph_name: Type.Optional(nullable(Type.String())),
  last_used_at: Type.Optional(nullable(Type.String())),
});

const oAuthGrantsResponse = model('OAuthGrantsResponse', {
  grants: Type.Array(oAuthGrantInfo),
});

export default defineRoute({
  name: 'list-user-oauth-grants',
  path: 'GET /v1/user/oauth/grants',
  summary: 'Lists the apps that the caller has connected to a graph, newest first.',
  openapi: { id: 'list_user_o_auth_grants', tag: 'user' },
  category: 'user_management',
  auth: ['api-key', 'bearer'],
  answers: { 200: oAuthGrantsResponse },
  fails: [400, 401, 403, 429, 500],
  services: { oauthGrants },
  async handle({ ctx, use }) {
    return { grants: await use.oauthGrants.list(ctx.caller) };
  },
});
