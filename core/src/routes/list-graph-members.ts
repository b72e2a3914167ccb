import { Type } from 'typebox';
import { defineRoute, graphOf } from '../define/route.ts';
import graphMemberResponse from '../models/GraphMemberResponse.ts';
import { model } from '../schema/model.ts';
import { graphMembers } from '../tenancy/graph-members.ts';

const graphMemberListResponse = model('GraphMemberListResponse', {
  members: Type.Array(graphMemberResponse),
  total: Type.Integer(),
  graph_id: Type.String(),
});

export default defineRoute({
  name: 'list-graph-members',
  path: 'GET /v1/graphs/{graph_id}/members',
  summary: 'Lists the users with access to a graph: grants, then admins by organization role.',
  openapi: { id: 'list_graph_members', tag: 'graph_members' },
  category: 'graph_read',
  role: 'viewer',
  auth: ['api-key', 'bearer'],
  answers: { 200: graphMemberListResponse },
  fails: [400, 401, 403, 404, 422, 429, 500],
  services: { graphMembers },
  async handle({ params, ctx, use }) {
    const members = await use.graphMembers.list(graphOf(ctx));
    return { members, total: members.length, graph_id: params.graph_id };
  },
});
