import { Type } from 'typebox';
import { defineRoute } from '../../define/route.ts';
import { instant, model, nullable } from '../../schema/model.ts';
import { bridge } from '../sessions/bridge.ts';

const ssoExchangeRequest = model('SSOExchangeRequest', {
  token: Type.String(),
  target_app: Type.String(),
  return_url: Type.Optional(nullable(Type.String())),
});

const ssoExchangeResponse = model('SSOExchangeResponse', {
  session_id: Type.String(),
  redirect_url: Type.String(),
  expires_at: instant(),
});

export default defineRoute({
  name: 'sso-token-exchange',
  path: 'POST /v1/auth/sso-exchange',
  summary: 'Exchanges a single-use token for a session handover to another app of this deployment.',
  openapi: { id: 'sso_token_exchange', tag: 'auth' },
  category: 'auth',
  limit: { maxCalls: 100, seconds: 60, per: 'ip' },
  auth: [],
  body: ssoExchangeRequest,
  answers: { 200: ssoExchangeResponse },
  fails: [400, 422, 429, 500],
  services: { bridge },
  async handle({ body, use }) {
    return use.bridge.exchange(body);
  },
});
