import { requestFacts } from '../audit/request-facts.ts';
import { apiKeys } from '../auth/api-keys.ts';
import { defineRoute } from '../define/route.ts';
import createApiKeyRequest from '../models/CreateAPIKeyRequest.ts';
import createApiKeyResponse from '../models/CreateAPIKeyResponse.ts';

export default defineRoute({
  name: 'create-user-api-key',
  path: 'POST /v1/user/api-keys',
  summary: 'Makes an API key and shows it once.',
  openapi: { id: 'create_user_api_key', tag: 'user' },
  category: 'user_management',
  // Platform A-3: a leaked key must not make its own successors.
  auth: ['bearer'],
  body: createApiKeyRequest,
  answers: { 201: createApiKeyResponse },
  fails: [400, 401, 403, 422, 429, 500],
  services: { apiKeys },
  async handle({ body, ctx, use }) {
    return use.apiKeys.create(ctx.caller, body, requestFacts(ctx, 'POST /v1/user/api-keys'));
  },
});
