import { Type } from 'typebox';
import { defineRoute } from '../../define/route.ts';
import { instant, model } from '../../schema/model.ts';
import { bridge } from '../sessions/bridge.ts';

const ssoTokenResponse = model('SSOTokenResponse', {
  token: Type.String(),
  expires_at: instant(),
  apps: Type.Array(Type.String()),
});

export default defineRoute({
  name: 'generate-sso-token',
  path: 'POST /v1/auth/sso-token',
  summary: 'Issues a single-use token that another app of this deployment exchanges for a session of the caller.',
  openapi: { id: 'generate_sso_token', tag: 'auth' },
  category: 'auth',
  limit: { maxCalls: 100, seconds: 60, per: 'user' },
  auth: ['bearer'],
  documentedCookies: ['auth-token'],
  answers: { 200: ssoTokenResponse },
  fails: [400, 422, 429, 500],
  services: { bridge },
  async handle({ ctx, use }) {
    return use.bridge.issue(ctx.caller);
  },
});
