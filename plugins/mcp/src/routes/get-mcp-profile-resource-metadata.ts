import { answer, defineRoute, notFound, openObject } from '@pacioli/core';
import { authorizationServer, metadataHeaders, resourceMetadata, resourcePath } from '../authorization/index.ts';

export default defineRoute({
  name: 'get-mcp-profile-resource-metadata',
  path: 'GET /.well-known/oauth-protected-resource/v1/mcp/{profile}',
  summary: 'Describes the MCP endpoint of a profile (RFC 9728).',
  openapi: { id: 'get_mcp_profile_resource_metadata', tag: 'oauth' },
  hidden: true,
  category: 'status',
  auth: [],
  answers: { 200: openObject() },
  fails: [404, 429, 500],
  services: { server: authorizationServer },
  async handle({ params, ctx, use }) {
    use.server.requireOn(ctx);
    if (!use.server.graphs.isProfile(params.profile)) throw notFound('Not Found');
    return answer(200, resourceMetadata(ctx.serviceUrl, resourcePath(params)), metadataHeaders);
  },
});
