import { defineRoute, model } from '@pacioli/core';
import { Type } from 'typebox';
import { connectionProviderInfo } from '../models/ConnectionProviderInfo.ts';
import { connections } from '../providers.ts';

const connectionOptionsResponse = model('ConnectionOptionsResponse', {
  providers: Type.Array(connectionProviderInfo),
  total_providers: Type.Integer(),
});

export default defineRoute({
  name: 'get-connection-options',
  path: 'GET /v1/graphs/{graph_id}/connections/options',
  summary: 'The providers that this deployment offers, with their requirements.',
  openapi: { id: 'get_connection_options', tag: 'connections' },
  category: 'graph_read',
  auth: ['api-key', 'bearer'],
  role: 'viewer',
  answers: { 200: connectionOptionsResponse },
  fails: [400, 401, 403, 404, 422, 429, 500],
  services: { connections },
  async handle({ use }) {
    const providers = use.connections.registry.infos();
    return { providers, total_providers: providers.length };
  },
});
