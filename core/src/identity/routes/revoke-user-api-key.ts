import { requestFacts } from '../../audit/request-facts.ts';
import { defineRoute } from '../../define/route.ts';
import successResponse from '../../models/SuccessResponse.ts';
import { apiKeys } from '../keys/api-keys.ts';

export default defineRoute({
  name: 'revoke-user-api-key',
  path: 'DELETE /v1/user/api-keys/{api_key_id}',
  summary: 'Permanently revokes an API key.',
  openapi: { id: 'revoke_user_api_key', tag: 'user' },
  category: 'user_management',
  auth: ['api-key', 'bearer'],
  answers: { 200: successResponse },
  fails: [400, 401, 403, 404, 422, 429, 500],
  services: { apiKeys },
  async handle({ params, ctx, use }) {
    const facts = requestFacts(ctx, 'DELETE /v1/user/api-keys/{api_key_id}');
    await use.apiKeys.revoke(ctx.caller, params.api_key_id, facts);
    return { message: 'API key revoked successfully', success: true, data: null };
  },
});
