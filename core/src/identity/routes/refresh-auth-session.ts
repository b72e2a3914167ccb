import { requestFacts } from '../../audit/request-facts.ts';
import { defineRoute } from '../../define/route.ts';
import authResponse from '../../models/AuthResponse.ts';
import { sessions } from '../sessions/sessions.ts';

export default defineRoute({
  name: 'refresh-auth-session',
  path: 'POST /v1/auth/refresh',
  summary: 'Exchanges a session token that is valid, or expired at most five minutes ago, for a new one.',
  openapi: { id: 'refresh_auth_session', tag: 'auth' },
  category: 'auth',
  limit: { maxCalls: 20, seconds: 60, per: 'user' },
  // The handler reads the token itself, because a recently expired one is accepted here.
  auth: [],
  answers: { 200: authResponse },
  fails: [400, 429, 500],
  services: { sessions },
  errors: { TOKEN_EXPIRED: { kind: 'unauthenticated', meaning: 'The session expired too long ago to be renewed.' } },
  async handle({ ctx, use }) {
    return use.sessions.renew(ctx.bearerToken, requestFacts(ctx, 'POST /v1/auth/refresh'));
  },
});
