import { requestFacts } from '../../audit/request-facts.ts';
import { defineRoute } from '../../define/route.ts';
import successResponse from '../../models/SuccessResponse.ts';
import { oauthGrants } from '../keys/oauth-grants.ts';

export default defineRoute({
  name: 'revoke-user-oauth-grant',
  path: 'DELETE /v1/user/oauth/grants/{grant_id}',
  summary: 'Revokes the access of a connected app.',
  openapi: { id: 'revoke_user_o_auth_grant', tag: 'user' },
  category: 'user_management',
  auth: ['api-key', 'bearer'],
  answers: { 200: successResponse },
  fails: [400, 401, 403, 404, 422, 429, 500],
  services: { oauthGrants },
  async handle({ params, ctx, use }) {
    const request = requestFacts(ctx, 'DELETE /v1/user/oauth/grants/{grant_id}');
    await use.oauthGrants.revoke(ctx.caller, params.grant_id, request);
    return { message: 'The app no longer has access', success: true };
  },
});
