import { requestFacts } from '../../audit/request-facts.ts';
import { defineRoute } from '../../define/route.ts';
import { openObject } from '../../schema/model.ts';
import { sessions } from '../sessions/sessions.ts';

export default defineRoute({
  name: 'get-current-auth-user',
  path: 'GET /v1/auth/me',
  summary: 'Returns the user of the session, with organization and role.',
  openapi: { id: 'get_current_auth_user', tag: 'auth' },
  category: 'auth',
  limit: { maxCalls: 600, seconds: 60, per: 'user' },
  auth: ['bearer'],
  answers: { 200: openObject() },
  fails: [400, 429, 500],
  services: { sessions },
  async handle({ ctx, use }) {
    const row = await use.sessions.accountOf(ctx.caller.userId, ctx.bearerToken, requestFacts(ctx, 'GET /v1/auth/me'));
    return {
      id: row.user_id,
      email: row.email,
      name: row.name,
      email_verified: row.email_verified,
      org: row.org_id === null ? null : { id: row.org_id, name: row.org_name, type: row.org_type, role: row.org_role },
      org_id: row.org_id,
      org_role: row.org_role,
    };
  },
});
