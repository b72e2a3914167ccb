import { defineRoute, graphOf, kernel, model, nullable, oneOf, openObject } from '@pacioli/core';
import { Type } from 'typebox';
import { connections } from '../providers.ts';

const successResponse = model('SuccessResponse', {
  message: Type.String(),
  success: Type.Optional(Type.Boolean({ default: true })),
  data: Type.Optional(nullable(openObject())),
});

export default defineRoute({
  name: 'delete-connection',
  path: 'DELETE /v1/graphs/{graph_id}/connections/{connection_id}',
  summary: 'Deletes a connection; the data that it loaded stays in the graph.',
  openapi: { id: 'delete_connection', tag: 'connections' },
  category: 'graph_write',
  auth: ['api-key', 'bearer'],
  // Only admins of the graph manage credentials of outside systems (platform P-15).
  role: 'admin',
  effect: 'destructive',
  query: model('DeleteConnectionQuery', {
    disposition: Type.Optional(oneOf(['disconnect', 'sever'], { default: 'disconnect' })),
  }),
  answers: { 200: successResponse },
  fails: [400, 401, 403, 404, 422, 429, 500],
  services: { store: kernel.store, connections },
  errors: { INVALID_STATE: { kind: 'conflict', meaning: 'The last sync has not ended.' } },
  async handle({ params, query, ctx, use }) {
    const disposition = query.disposition ?? 'disconnect';
    const by = { userId: ctx.caller.userId, now: ctx.now() };
    const { id, provider, sourceName } = await use.store.transaction({ graphId: graphOf(ctx).id }, (tx) =>
      use.connections.changes.delete(tx, params.connection_id, disposition, by),
    );
    const closed = sourceName === null ? '' : ` Events of the source '${sourceName}' are refused from now on.`;
    return {
      success: true,
      message: `The ${provider} connection was deleted; its data was kept.${closed}`,
      data: { connection_id: id, disposition },
    };
  },
});
