import {
  defineRoute,
  type Graph,
  graphOf,
  graphSchemas,
  invalidInput,
  kernel,
  model,
  nullable,
  openObject,
} from '@pacioli/core';
import { type GraphStore, isGraphStoreError } from '@pacioli/core/ports';
import { Type } from 'typebox';
import { stringify } from 'yaml';
import { cypherOf, definitionOf } from '../schema/index.ts';
import { type AnalyticalGraph, analyticalGraph } from '../tokens.ts';

const formats = ['json', 'yaml', 'cypher'];

export default defineRoute({
  name: 'export-graph-schema',
  path: 'GET /v1/graphs/{graph_id}/schema/export',
  summary: 'The declared schema of the graph, complete, as JSON, YAML or Cypher statements.',
  openapi: { id: 'export_graph_schema', tag: 'schema' },
  category: 'graph_read',
  auth: ['api-key', 'bearer'],
  role: 'viewer',
  effect: 'read',
  query: model('SchemaExportQuery', {
    format: Type.Optional(Type.String({ default: 'json' })),
    include_data_stats: Type.Optional(Type.Boolean({ default: false })),
  }),
  answers: {
    200: model('SchemaExportResponse', {
      graph_id: Type.String(),
      schema_definition: Type.Union([openObject(), Type.String()]),
      format: Type.String(),
      exported_at: Type.String(),
      data_stats: Type.Optional(nullable(openObject())),
    }),
  },
  fails: [400, 401, 403, 404, 422, 429, 500],
  services: {
    analyticalGraph,
    schemas: graphSchemas,
    store: kernel.store,
    graphStore: kernel.graphStore,
    domains: kernel.domains,
  },

  async handle({ params, query, ctx, use }) {
    const graph = graphOf(ctx);
    const format = query.format ?? 'json';
    if (!formats.includes(format)) throw invalidInput(`format is one of ${formats.join(', ')}.`);
    const { declared, schema } = await use.store.transaction(
      { graphId: graph.id },
      async (tx) => ({ declared: await use.schemas.declared(tx, graph.id), schema: await use.schemas.of(tx, graph) }),
      { readOnly: true },
    );
    const extensions = graph.extensions.map((domain) => use.domains.wireName(domain));
    const definition =
      declared === undefined
        ? { name: graph.id, version: '1.0.0', type: 'extensions', extensions, extends: 'base', ...definitionOf(schema) }
        : { ...declared, type: 'custom', extensions };
    const written = { json: definition, yaml: stringify(definition), cypher: cypherOf(schema) };
    return {
      graph_id: params.graph_id,
      schema_definition: written[format as keyof typeof written], // One of `formats`.
      format,
      exported_at: ctx.now().toISOString(),
      data_stats: query.include_data_stats === true ? await dataStats(use, graph) : null,
    };
  },
});

/** Real counts, or a message if the engine cannot be reached (graphs SC-52). */
async function dataStats(
  use: { readonly analyticalGraph: AnalyticalGraph; readonly graphStore: GraphStore },
  graph: Graph,
): Promise<Record<string, unknown>> {
  try {
    const { nodes, relationships } = await use.graphStore.stats(await use.analyticalGraph.active(graph));
    const total = (counts: Readonly<Record<string, number>>): number =>
      Object.values(counts).reduce((sum, count) => sum + count, 0);
    return {
      nodes,
      relationships,
      total_nodes: total(nodes),
      total_relationships: total(relationships),
    };
  } catch (error) {
    if (!isGraphStoreError(error)) throw error;
    return { message: 'The graph engine cannot be reached now, so there are no counts.' };
  }
}
