import { Type } from 'typebox';
import { defineRoute } from '../../define/route.ts';
import apiKeyInfo from '../../models/APIKeyInfo.ts';
import { model } from '../../schema/model.ts';
import { apiKeys } from '../keys/api-keys.ts';

const apiKeysResponse = model('APIKeysResponse', {
  api_keys: Type.Array(apiKeyInfo),
});

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
