import { defineRoute, graphOf, model, openObject } from '@pacioli/core';
import { Type } from 'typebox';
import { schemaOf } from '../schema/index.ts';
import { analyticalGraph } from '../tokens.ts';

export default defineRoute({
  name: 'get-graph-schema',
  path: 'GET /v1/graphs/{graph_id}/schema',
  summary: 'The node types, relationship types and properties in the graph.',
  openapi: { id: 'get_graph_schema', tag: 'schema' },
  category: 'graph_read',
  auth: ['api-key', 'bearer'],
  role: 'viewer',
  answers: {
    200: model('SchemaInfoResponse', { graph_id: Type.String(), schema: openObject() }),
  },
  fails: [400, 401, 403, 404, 422, 429, 500],
  failsPlain: [504],
  services: { analyticalGraph },

  async handle({ params, ctx, use }) {
    return { graph_id: params.graph_id, schema: schemaOf(await use.analyticalGraph.catalog(graphOf(ctx))) };
  },
});
