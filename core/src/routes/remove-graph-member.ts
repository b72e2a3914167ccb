import { requestFacts } from '../audit/request-facts.ts';
import { defineRoute, graphOf } from '../define/route.ts';
import { graphMembers } from '../tenancy/graph-members.ts';

export default defineRoute({
  name: 'remove-graph-member',
  path: 'DELETE /v1/graphs/{graph_id}/members/{user_id}',
  summary: 'Removes a member’s role on a graph.',
  openapi: { id: 'remove_graph_member', tag: 'graph_members' },
  category: 'graph_write',
  role: 'admin',
  auth: ['api-key', 'bearer'],
  answers: { 204: null },
  fails: [400, 401, 403, 404, 422, 429, 500],
  services: { graphMembers },
  async handle({ params, ctx, use }) {
    await use.graphMembers.remove(
      ctx.caller,
      graphOf(ctx),
      params.user_id,
      requestFacts(ctx, 'DELETE /v1/graphs/{graph_id}/members/{user_id}'),
    );
  },
});
