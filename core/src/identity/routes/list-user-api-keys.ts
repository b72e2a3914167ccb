import { defineRoute } from '../../define/route.ts';
import apiKeysResponse from '../../models/APIKeysResponse.ts';
import { apiKeys } from '../keys/api-keys.ts';

export default defineRoute({
  name: 'list-user-api-keys',
  path: 'GET /v1/user/api-keys',
  summary: 'Lists the active API keys of the caller, newest first.',
  openapi: { id: 'list_user_api_keys', tag: 'user' },
  category: 'user_management',
  auth: ['api-key', 'bearer'],
  answers: { 200: apiKeysResponse },
  fails: [400, 401, 403, 429, 500],
  services: { apiKeys },
  async handle({ ctx, use }) {
    return { api_keys: await use.apiKeys.list(ctx.caller) };
  },
});
