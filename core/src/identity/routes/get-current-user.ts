import { defineRoute } from '../../define/route.ts';
import userResponse from '../../models/UserResponse.ts';
import { profile } from '../accounts/profile.ts';

export default defineRoute({
  name: 'get-current-user',
  path: 'GET /v1/user',
  summary: 'Returns the account of the caller.',
  openapi: { id: 'get_current_user', tag: 'user' },
  category: 'user_management',
  auth: ['api-key', 'bearer'],
  scopedKeys: true,
  answers: { 200: userResponse },
  fails: [400, 401, 403, 429, 500],
  services: { profile },
  async handle({ ctx, use }) {
    return use.profile.view(ctx.caller);
  },
});
