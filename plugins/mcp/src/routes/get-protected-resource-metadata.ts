import { answer, defineRoute, openObject } from '@pacioli/core';
import { agnosticPath, authorizationServer, metadataHeaders, resourceMetadata } from '../authorization/index.ts';

export default defineRoute({
  name: 'get-protected-resource-metadata',
  path: 'GET /.well-known/oauth-protected-resource',
  summary: 'Describes the MCP endpoint whose graph comes from the grant (RFC 9728).',
  openapi: { id: 'get_protected_resource_metadata', tag: 'oauth' },
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
