import { defineRoute, graphOf, kernel, model } from '@pacioli/core';
import { connectionView } from '../connections/index.ts';
import connectionResponse from '../models/ConnectionResponse.ts';
import { writePolicy } from '../models/write-policy.ts';
import { connections } from '../providers.ts';

const setWritePolicyRequest = model('SetWritePolicyRequest', { write_policy: writePolicy });

export default defineRoute({
  name: 'set-connection-write-policy',
  path: 'PUT /v1/graphs/{graph_id}/connections/{connection_id}/write-policy',
  summary: 'Sets whether entries that originate here are published to the provider that keeps the books.',
  openapi: { id: 'set_connection_write_policy', tag: 'connections' },
  category: 'graph_write',
  auth: ['api-key', 'bearer'],
  // Only admins of the graph manage credentials of outside systems (platform P-15).
  role: 'admin',
  body: setWritePolicyRequest,
  answers: { 200: connectionResponse },
  fails: [400, 401, 403, 404, 422, 429, 500],
  services: { store: kernel.store, connections },
  async handle({ params, body, ctx, use }) {
    const changed = await use.store.transaction({ graphId: graphOf(ctx).id }, (tx) =>
      use.connections.changes.setWritePolicy(tx, params.connection_id, body.write_policy, ctx.now()),
    );
    return connectionView(changed);
  },
});
