import { anything, defineRoute } from '@pacioli/core';
import { mcpEndpoint } from '../endpoint/index.ts';

export default defineRoute({
  name: 'post-graph-mcp',
  path: 'POST /v1/graphs/{graph_id}/mcp',
  summary: 'One message of the Model Context Protocol to the tools of one graph.',
  openapi: { id: 'post_graph_mcp', tag: 'mcp' },
  hidden: true,
  // The endpoint authenticates and counts calls by itself, because its refusals have the form of the protocol.
  category: null,
  auth: [],
  answers: { 200: anything(), 202: null },
  fails: [400, 401, 403, 404, 406, 413, 415, 429],
  services: { mcpEndpoint },

  handle: ({ params, ctx, use }) =>
    use.mcpEndpoint.answer(ctx, {
      path: `/v1/graphs/${params.graph_id}/mcp`,
      graphId: params.graph_id,
      profile: undefined,
    }),
});
