import { defineRoute } from '../define/route.ts';
import userGraphsResponse from '../models/UserGraphsResponse.ts';
import { userGraphs } from '../tenancy/user-graphs.ts';

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
