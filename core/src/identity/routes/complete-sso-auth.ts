import { Type } from 'typebox';
import { requestFacts } from '../../audit/request-facts.ts';
import { defineRoute } from '../../define/route.ts';
import authResponse from '../../models/AuthResponse.ts';
import { model } from '../../schema/model.ts';
import { bridge } from '../sessions/bridge.ts';

const ssoCompleteRequest = model('SSOCompleteRequest', {
  session_id: Type.String(),
});

export default defineRoute({
  name: 'complete-sso-auth',
  path: 'POST /v1/auth/sso-complete',
  summary: 'Exchanges the session handover of another app for a session in this app.',
  openapi: { id: 'complete_sso_auth', tag: 'auth' },
  category: 'auth',
  limit: { maxCalls: 100, seconds: 60, per: 'ip' },
  auth: [],
  body: ssoCompleteRequest,
  answers: { 200: authResponse },
  fails: [400, 422, 429, 500],
  services: { bridge },
  async handle({ body, ctx, use }) {
    return use.bridge.complete(body.session_id, requestFacts(ctx, 'POST /v1/auth/sso-complete'));
  },
});
