import { defineRoute } from '../../define/route.ts';
import oAuthGrantsResponse from '../../models/OAuthGrantsResponse.ts';
import { oauthGrants } from '../keys/oauth-grants.ts';

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
