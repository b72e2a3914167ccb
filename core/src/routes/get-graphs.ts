import { Type } from 'typebox';
import { defineRoute } from '../define/route.ts';
import { model, nullable } from '../schema/model.ts';
import { userGraphs } from '../tenancy/user-graphs.ts';

const graphInfo = model('GraphInfo', {
  graphId: Type.String(),
  graphName: Type.String(),
  role: Type.String(),
  isSelected: Type.Boolean(),
  createdAt: Type.String(),
  description: Type.Optional(Type.String({ default: '' })),
  tags: Type.Optional(Type.Array(Type.String())),
  isRepository: Type.Optional(Type.Boolean({ default: false })),
  repositoryType: Type.Optional(nullable(Type.String())),
  schemaExtensions: Type.Optional(Type.Array(Type.String())),
  isSubgraph: Type.Optional(Type.Boolean({ default: false })),
  parentGraphId: Type.Optional(nullable(Type.String())),
  graphType: Type.Optional(Type.String({ default: 'entity' })),
  status: Type.Optional(Type.String({ default: 'active' })),
});

const userGraphsResponse = model('UserGraphsResponse', {
  graphs: Type.Array(graphInfo),
  selectedGraphId: Type.Optional(nullable(Type.String())),
});

export default defineRoute({
  name: 'get-graphs',
  path: 'GET /v1/graphs',
  summary: 'Lists the graphs of the caller, the selected one first.',
  openapi: { id: 'get_graphs', tag: 'graphs' },
  category: 'graph_read',
  auth: ['api-key', 'bearer'],
  scopedKeys: true,
  answers: { 200: userGraphsResponse },
  fails: [400, 401, 403, 429, 500],
  services: { userGraphs },
  async handle({ ctx, use }) {
    return use.userGraphs.list(ctx.caller);
  },
});
