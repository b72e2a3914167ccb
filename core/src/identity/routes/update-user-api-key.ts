import { Type } from 'typebox';
import { defineRoute } from '../../define/route.ts';
import apiKeyInfo from '../../models/APIKeyInfo.ts';
import { model, nullable } from '../../schema/model.ts';
import { apiKeys } from '../keys/api-keys.ts';

const updateApiKeyRequest = model('UpdateAPIKeyRequest', {
  name: Type.Optional(nullable(Type.String())),
  description: Type.Optional(nullable(Type.String())),
});

export default defineRoute({
  name: 'update-user-api-key',
  path: 'PUT /v1/user/api-keys/{api_key_id}',
  summary: 'Changes the name or description of an API key.',
  openapi: { id: 'update_user_api_key', tag: 'user' },
  category: 'user_management',
  auth: ['api-key', 'bearer'],
  body: updateApiKeyRequest,
  answers: { 200: apiKeyInfo },
  fails: [400, 401, 403, 404, 422, 429, 500],
  services: { apiKeys },
  async handle({ params, body, ctx, use }) {
    return use.apiKeys.update(ctx.caller, params.api_key_id, body);
  },
});
