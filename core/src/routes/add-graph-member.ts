import { Type } from 'typebox';
import { requestFacts } from '../audit/request-facts.ts';
import { defineRoute, graphOf } from '../define/route.ts';
import graphMemberResponse from '../models/GraphMemberResponse.ts';
import { model, oneOf } from '../schema/model.ts';
import { graphMembers } from '../tenancy/graph-members.ts';

const addGraphMemberRequest = model('AddGraphMemberRequest', {
  user_id: Type.String(),
  role: Type.Optional(oneOf(['admin', 'member', 'viewer'])),
});

export default defineRoute({
  name: 'add-graph-member',
  path: 'POST /v1/graphs/{graph_id}/members',
  summary: 'Grants a member of the organization a role on a graph.',
  openapi: { id: 'add_graph_member', tag: 'graph_members' },
  category: 'graph_write',
  role: 'admin',
  body: addGraphMemberRequest,
  auth: ['api-key', 'bearer'],
  answers: { 201: graphMemberResponse },
  fails: [400, 401, 403, 404, 422, 429, 500],
  services: { graphMembers },
  errors: { ALREADY_EXISTS: { kind: 'conflict', meaning: 'The user has access to the graph already.' } },
  async handle({ body, ctx, use }) {
    const grant = { userId: body.user_id, role: body.role ?? 'member' };
    return use.graphMembers.add(
      ctx.caller,
      graphOf(ctx),
      grant,
      requestFacts(ctx, 'POST /v1/graphs/{graph_id}/members'),
    );
  },
});
