import { Type } from 'typebox';
import { requestFacts } from '../../audit/request-facts.ts';
import { defineRoute } from '../../define/route.ts';
import apiKeyInfo from '../../models/APIKeyInfo.ts';
import { model, nullable } from '../../schema/model.ts';
import { apiKeys } from '../keys/api-keys.ts';

const createApiKeyRequest = model('CreateAPIKeyRequest', {
  name: Type.String(),
  description: Type.Optional(nullable(Type.String())),
  expires_at: Type.Optional(nullable(Type.String())),
  graph_id: Type.Optional(nullable(Type.String())),
});

const createApiKeyResponse = model('CreateAPIKeyResponse', {
  api_key: apiKeyInfo,
  key: Type.String(),
});

export default defineRoute({
  name: 'create-user-api-key',
  path: 'POST /v1/user/api-keys',
  summary: 'Creates an API key, which is shown only once.',
  openapi: { id: 'create_user_api_key', tag: 'user' },
  category: 'user_management',
  // A leaked key must not be able to create further keys (platform A-3).
  auth: ['bearer'],
  body: createApiKeyRequest,
  answers: { 201: createApiKeyResponse },
  fails: [400, 401, 403, 422, 429, 500],
  services: { apiKeys },
  errors: { CONFLICT: { kind: 'conflict', meaning: 'The caller has as many active API keys as are allowed.' } },
  async handle({ body, ctx, use }) {
    return use.apiKeys.create(ctx.caller, body, requestFacts(ctx, 'POST /v1/user/api-keys'));
  },
});
