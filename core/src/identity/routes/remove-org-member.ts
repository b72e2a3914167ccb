import { requestFacts } from '../../audit/request-facts.ts';
import { defineRoute } from '../../define/route.ts';
import { orgMembers } from '../organizations/org-members.ts';

export default defineRoute({
  name: 'remove-org-member',
  path: 'DELETE /v1/orgs/{org_id}/members/{user_id}',
  summary: 'Removes a member from an organization and deactivates the account.',
  openapi: { id: 'remove_org_member', tag: 'org_members' },
  category: 'user_management',
  auth: ['api-key', 'bearer'],
  answers: { 204: null },
  fails: [400, 401, 403, 404, 422, 429, 500],
  services: { orgMembers },
  errors: {
    PAYMENT_PROVIDER_ERROR: {
      kind: 'upstream',
      meaning: 'A subscription of the member could not be canceled; nothing changed.',
    },
  },
  async handle({ params, ctx, use }) {
    const target = { orgId: params.org_id, userId: params.user_id };
    await use.orgMembers.remove(ctx.caller, target, requestFacts(ctx, 'DELETE /v1/orgs/{org_id}/members/{user_id}'));
  },
});
