import { answer, defineRoute, openObject } from '@pacioli/core';
import { authorizationServer, metadataHeaders, serverMetadata } from '../authorization/index.ts';

export default defineRoute({
  name: 'get-authorization-server-metadata',
  path: 'GET /.well-known/oauth-authorization-server',
  summary: 'Describes the authorization server for AI clients (RFC 8414).',
  openapi: { id: 'get_authorization_server_metadata', tag: 'oauth' },
  hidden: true,
  category: 'status',
  auth: [],
  answers: { 200: openObject() },
  fails: [404, 429, 500],
  services: { server: authorizationServer },
  async handle({ ctx, use }) {
    use.server.requireOn(ctx);
    return answer(200, serverMetadata(ctx.serviceUrl), metadataHeaders);
  },
});
