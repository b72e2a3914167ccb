import { Type } from 'typebox';
import { requestFacts } from '../../audit/request-facts.ts';
import { defineRoute } from '../../define/route.ts';
import orgDetailResponse from '../../models/OrgDetailResponse.ts';
import { model, nullable, oneOf } from '../../schema/model.ts';
import { organizations, orgDetailOf } from '../organizations/organizations.ts';

const updateOrgRequest = model('UpdateOrgRequest', {
  name: Type.Optional(nullable(Type.String())),
  org_type: Type.Optional(nullable(oneOf(['enterprise', 'personal', 'team']))),
});

export default defineRoute({
  name: 'update-org',
  path: 'PUT /v1/orgs/{org_id}',
  summary: 'Renames an organization or changes its type.',
  openapi: { id: 'update_org', tag: 'org' },
  category: 'user_management',
  body: updateOrgRequest,
  auth: ['api-key', 'bearer'],
  answers: { 200: orgDetailResponse },
  fails: [400, 401, 403, 404, 422, 429, 500],
  services: { organizations },
  async handle({ params, body, ctx, use }) {
    const request = requestFacts(ctx, 'PUT /v1/orgs/{org_id}');
    return orgDetailOf(await use.organizations.update(ctx.caller, params.org_id, body, request));
  },
});
