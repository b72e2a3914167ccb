import { defineRoute, model, openObject } from '@pacioli/core';
import type { CatalogTable } from '@pacioli/core/ports';
import { Type } from 'typebox';
import { graphOf } from '../graph-of.ts';
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

/** The schema for callers: names in declared order, all properties, and empty tables (graphs SC-50). */
function schemaOf(tables: readonly CatalogTable[]): Record<string, unknown> {
  const nodes = tables.filter((table) => table.kind === 'node');
  const relationships = tables.filter((table) => table.kind === 'relationship');
  const names = (table: CatalogTable): string[] => table.columns.map((column) => column.name);
  return {
    node_labels: nodes.map((table) => table.name),
    relationship_types: relationships.map((table) => table.name),
    node_properties: Object.fromEntries(nodes.map((table) => [table.name, names(table)])),
    relationships: relationships.map((table) => ({
      name: table.name,
      from: table.from,
      to: table.to,
      properties: names(table),
    })),
  };
}
