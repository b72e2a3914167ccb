import { defineRoute, graphOf, kernel } from '@pacioli/core';
import { connectionView } from '../connections/index.ts';
import connectionResponse from '../models/ConnectionResponse.ts';
import createConnectionRequest from '../models/CreateConnectionRequest.ts';
import { connections } from '../providers.ts';

export default defineRoute({
  name: 'create-connection',
  path: 'POST /v1/graphs/{graph_id}/connections',
  summary: 'Connects the graph to a provider, or registers a source name for a system that sends its own events.',
  openapi: { id: 'create_connection', tag: 'connections' },
  category: 'graph_write',
  auth: ['api-key', 'bearer'],
  // Only admins of the graph manage credentials of outside systems (platform P-15).
  role: 'admin',
  body: createConnectionRequest,
  answers: { 201: connectionResponse },
  fails: [400, 401, 403, 404, 422, 429, 500],
  failsPlain: [409],
  services: { store: kernel.store, connections },
  errors: {
    ALREADY_EXISTS: 'A live connection of the provider, or with the source name, already exists.',
    CONNECTION_LIMIT_REACHED: { kind: 'forbidden', meaning: 'The graph has reached its limit of connections.' },
    PROVIDER_DISABLED: { kind: 'forbidden', meaning: 'This deployment does not offer the provider.' },
  },
  async handle({ body, ctx, use }) {
    const by = { userId: ctx.caller.userId, now: ctx.now() };
    const created = await use.store.transaction({ graphId: graphOf(ctx).id }, (tx) =>
      use.connections.changes.create(tx, body, by),
    );
    return connectionView(created);
  },
});
