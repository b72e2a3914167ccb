import { answer, defineRoute, openObject } from '@pacioli/core';
import { agnosticPath, authorizationServer, metadataHeaders, resourceMetadata } from '../authorization/index.ts';

export default defineRoute({
  name: 'get-mcp-resource-metadata',
  path: 'GET /.well-known/oauth-protected-resource/v1/mcp',
  summary: 'Describes the MCP endpoint whose graph comes from the grant, at the path of the endpoint (RFC 9728).',
  openapi: { id: 'get_mcp_resource_metadata', tag: 'oauth' },
  hidden: true,
  category: 'status',
  auth: [],
  answers: { 200: openObject() },
  fails: [404, 429, 500],
  services: { server: authorizationServer },
  async handle({ ctx, use }) {
    use.server.requireOn(ctx);
    return answer(200, resourceMetadata(ctx.serviceUrl, agnosticPath), metadataHeaders);
  },
});
