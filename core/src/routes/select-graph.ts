import { defineRoute } from '../define/route.ts';
import successResponse from '../models/SuccessResponse.ts';
import { userGraphs } from '../tenancy/user-graphs.ts';

export default defineRoute({
  name: 'select-graph',
  path: 'POST /v1/graphs/{graph_id}/select',
  summary: 'Selects the graph that the caller works in.',
  openapi: { id: 'select_graph', tag: 'graphs' },
  category: 'user_management',
  auth: ['api-key', 'bearer'],
  role: 'viewer',
  effect: 'write',
  answers: { 200: successResponse },
  fails: [400, 401, 403, 404, 422, 429, 500],
  services: { userGraphs },
  async handle({ params, ctx, use }) {
    // The route declares a role, so the pipeline has resolved the graph of the path.
    if (ctx.graph !== undefined) await use.userGraphs.select(ctx.caller, ctx.graph);
    return { message: 'Graph selected successfully', success: true, data: { selectedGraphId: params.graph_id } };
  },
});
