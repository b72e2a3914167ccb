import { requestFacts } from '../../audit/request-facts.ts';
import { defineRoute } from '../../define/route.ts';
import { openObject } from '../../schema/model.ts';
import { sessions } from '../sessions/sessions.ts';

export default defineRoute({
  name: 'logout-user',
  path: 'POST /v1/auth/logout',
  summary: 'Ends the session of the token, if there is one.',
  openapi: { id: 'logout_user', tag: 'auth' },
  category: 'auth',
  limit: { maxCalls: 300, seconds: 60, per: 'user' },
  // Logging out without a session succeeds (platform A-11).
  auth: [],
  answers: { 200: openObject() },
  fails: [400, 429, 500],
  services: { sessions },
  async handle({ ctx, use }) {
    await use.sessions.end(ctx.bearerToken, requestFacts(ctx, 'POST /v1/auth/logout'));
    return { message: 'Logout successful' };
  },
});
