import { answer, defineRoute, notFound, openObject } from '@pacioli/core';
import { authorizationServer, metadataHeaders, resourceMetadata, resourcePath } from '../authorization/index.ts';

export default defineRoute({
  name: 'get-graph-resource-metadata',
  path: 'GET /.well-known/oauth-protected-resource/v1/graphs/{graph_id}/mcp',
  summary: 'Describes the MCP endpoint of a graph, whether or not the graph exists (RFC 9728).',
  openapi: { id: 'get_graph_resource_metadata', tag: 'oauth' },
  hidden: true,
  category: 'status',
  auth: [],
  answers: { 200: openObject() },
  fails: [404, 429, 500],
  services: { server: authorizationServer },
  async handle({ params, ctx, use }) {
    use.server.requireOn(ctx);
    if (!use.server.graphs.isGraphName(params.graph_id)) throw notFound('Not Found');
    return answer(200, resourceMetadata(ctx.serviceUrl, resourcePath({ graphId: params.graph_id })), metadataHeaders);
  },
});
