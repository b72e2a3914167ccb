import { requestFacts } from '../audit/request-facts.ts';
import { defineRoute, graphOf } from '../define/route.ts';
import graphMemberResponse from '../models/GraphMemberResponse.ts';
import { model, oneOf } from '../schema/model.ts';
import { graphMembers } from '../tenancy/graph-members.ts';

const updateGraphMemberRoleRequest = model('UpdateGraphMemberRoleRequest', {
  role: oneOf(['admin', 'member', 'viewer']),
});

export default defineRoute({
  name: 'update-graph-member-role',
  path: 'PUT /v1/graphs/{graph_id}/members/{user_id}',
  summary: 'Changes the role of a graph member.',
  openapi: { id: 'update_graph_member_role', tag: 'graph_members' },
  category: 'graph_write',
  role: 'admin',
  body: updateGraphMemberRoleRequest,
  auth: ['api-key', 'bearer'],
  answers: { 200: graphMemberResponse },
  fails: [400, 401, 403, 404, 422, 429, 500],
  services: { graphMembers },
  async handle({ params, body, ctx, use }) {
    const grant = { userId: params.user_id, role: body.role };
    return use.graphMembers.changeRole(
      ctx.caller,
      graphOf(ctx),
      grant,
      requestFacts(ctx, 'PUT /v1/graphs/{graph_id}/members/{user_id}'),
    );
  },
});
