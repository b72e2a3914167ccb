import { defineRoute, graphOf, kernel } from '@pacioli/core';
import { connectionView } from '../connections/index.ts';
import connectionResponse from '../models/ConnectionResponse.ts';
import { connections } from '../providers.ts';

export default defineRoute({
  name: 'get-connection',
  path: 'GET /v1/graphs/{graph_id}/connections/{connection_id}',
  summary: 'One live connection of the graph.',
  openapi: { id: 'get_connection', tag: 'connections' },
  category: 'graph_read',
  auth: ['api-key', 'bearer'],
  role: 'viewer',
  answers: { 200: connectionResponse },
  fails: [400, 401, 403, 404, 422, 429, 500],
  services: { store: kernel.store, connections },
  async handle({ params, ctx, use }) {
    const found = await use.store.transaction(
      { graphId: graphOf(ctx).id },
      (tx) => use.connections.changes.require(tx, params.connection_id),
      { readOnly: true },
    );
    return connectionView(found);
  },
});
