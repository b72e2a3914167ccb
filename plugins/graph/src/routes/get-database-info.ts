import { defineRoute, graphOf, graphSchemas, kernel, model, nullable } from '@pacioli/core';
import { Type } from 'typebox';
import { backupSummary } from '../backups/index.ts';
import { queryErrors, queryFailure } from '../cypher/index.ts';
import { rowCount } from '../row-count.ts';
import { megabytes } from '../subgraphs/index.ts';
import { analyticalGraph } from '../tokens.ts';

const maxCountingMs = 30_000;

/** The contract has no null here, and zero would be a size (graphs E-37). */
const unknownSize = -1;

const databaseInfoResponse = model('DatabaseInfoResponse', {
  graph_id: Type.String(),
  database_name: Type.String(),
  database_size_bytes: Type.Integer(),
  database_size_mb: Type.Number(),
  node_count: Type.Integer(),
  relationship_count: Type.Integer(),
  node_labels: Type.Array(Type.String()),
  relationship_types: Type.Array(Type.String()),
  created_at: Type.String(),
  last_modified: Type.String(),
  read_only: Type.Boolean(),
  backup_count: Type.Integer(),
  schema_version: Type.Optional(nullable(Type.String())),
  last_backup_date: Type.Optional(nullable(Type.String())),
});

export default defineRoute({
  name: 'get-database-info',
  path: 'GET /v1/graphs/{graph_id}/info',
  summary: 'The content of the analytical graph: labels, types, counts and size.',
  openapi: { id: 'get_database_info', tag: 'graph_info' },
  category: 'graph_read',
  auth: ['api-key', 'bearer'],
  role: 'viewer',
  effect: 'read',
  answers: { 200: databaseInfoResponse },
  fails: [400, 401, 403, 404, 422, 429, 500],
  services: {
    analyticalGraph,
    graphStore: kernel.graphStore,
    graphs: kernel.graphs,
    schemas: graphSchemas,
    store: kernel.store,
  },
  errors: queryErrors,

  async handle({ params, ctx, use }) {
    const graph = graphOf(ctx);
    const started = performance.now();
    const stats = await use.analyticalGraph
      .active(graph)
      .then((generation) => use.graphStore.stats(generation))
      .catch((error: unknown) => {
        throw queryFailure(error, { timeoutMs: maxCountingMs, elapsedMs: performance.now() - started });
      });
    const { record, freshness, declared } = await use.store.transaction(
      { graphId: graph.id },
      async (tx) => ({
        record: await use.graphs.find(tx, graph.id),
        freshness: await use.analyticalGraph.freshness(tx, graph),
        declared: await use.schemas.declared(tx, graph.id),
      }),
      { readOnly: true },
    );
    const createdAt = record?.createdAt ?? ctx.now();
    const backups = await use.store.transaction(
      'kernel',
      (tx) => backupSummary(tx, { id: graph.id, parentId: graph.parentId, since: createdAt }),
      { readOnly: true },
    );
    const version = declared?.['version'];
    return {
      graph_id: params.graph_id,
      database_name: graph.id,
      database_size_bytes: stats.size_bytes ?? unknownSize,
      database_size_mb: megabytes(stats.size_bytes) ?? unknownSize,
      node_count: rowCount(stats.nodes),
      relationship_count: rowCount(stats.relationships),
      node_labels: Object.keys(stats.nodes).sort(),
      relationship_types: Object.keys(stats.relationships).sort(),
      created_at: createdAt.toISOString(),
      last_modified: (freshness.materializedAt ?? createdAt).toISOString(),
      // Callers write only to subgraphs (graphs SG-10).
      read_only: graph.parentId === undefined,
      backup_count: backups.completed,
      schema_version: typeof version === 'string' ? version : null,
      last_backup_date: backups.latest?.toISOString() ?? null,
    };
  },
});
