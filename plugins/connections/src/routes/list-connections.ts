import { defineRoute, graphOf, kernel, model, nullable, oneOf } from '@pacioli/core';
import { Type } from 'typebox';
import { connectionView } from '../connections/index.ts';
import connectionResponse from '../models/ConnectionResponse.ts';
import { providerNames } from '../models/provider-names.ts';
import { connections } from '../providers.ts';

export default defineRoute({
  name: 'list-connections',
  path: 'GET /v1/graphs/{graph_id}/connections',
  summary: 'The live connections of the graph, oldest first.',
  openapi: { id: 'list_connections', tag: 'connections' },
  category: 'graph_read',
  auth: ['api-key', 'bearer'],
  role: 'viewer',
  query: model('ConnectionListQuery', {
    entity_id: Type.Optional(nullable(Type.String())),
    provider: Type.Optional(nullable(oneOf(providerNames))),
  }),
  answers: { 200: Type.Array(connectionResponse) },
  fails: [400, 401, 403, 404, 422, 429, 500],
  services: { store: kernel.store, connections },
  async handle({ query, ctx, use }) {
    const filter = { provider: query.provider ?? undefined, entityId: query.entity_id ?? undefined };
    const found = await use.store.transaction(
      { graphId: graphOf(ctx).id },
      (tx) => use.connections.stored.list(tx, filter),
      { readOnly: true },
    );
    return found.map(connectionView);
  },
});
