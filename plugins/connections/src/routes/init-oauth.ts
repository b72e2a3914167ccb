import { defineRoute, graphOf, kernel } from '@pacioli/core';
import oauthInitRequest from '../models/OAuthInitRequest.ts';
import oauthInitResponse from '../models/OAuthInitResponse.ts';
import { connections } from '../providers.ts';

export default defineRoute({
  name: 'init-oauth',
  path: 'POST /v1/graphs/{graph_id}/connections/oauth/init',
  summary: 'Starts the authorization of a connection at its provider.',
  openapi: { id: 'init_o_auth', tag: 'connections' },
  category: 'graph_write',
  auth: ['api-key', 'bearer'],
  // Only admins of the graph manage credentials of outside systems (platform P-15).
  role: 'admin',
  body: oauthInitRequest,
  answers: { 200: oauthInitResponse },
  fails: [400, 401, 403, 404, 422, 429, 500],
  services: { store: kernel.store, connections },
  errors: { PROVIDER_DISABLED: { kind: 'forbidden', meaning: 'This deployment does not offer the provider.' } },
  async handle({ body, ctx, use }) {
    return use.store.transaction({ graphId: graphOf(ctx).id }, async (tx) => {
      const connection = await use.connections.changes.require(tx, body.connection_id);
      const authorization = use.connections.registry.requireAuthorization(connection.provider);
      return authorization.begin({ tx, connection, caller: ctx.caller, request: body, now: ctx.now() });
    });
  },
});
