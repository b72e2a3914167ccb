import { defineRoute, type GraphFacts, graphOf, graphSchemas, kernel, model, nullable } from '@pacioli/core';
import type { GraphStore } from '@pacioli/core/ports';
import { Type } from 'typebox';
import { queryFailure } from '../cypher/index.ts';
import { filesByTable, stagedStates, stagedTables, stagingErrors } from '../files/index.ts';
import { type AnalyticalGraph, analyticalGraph } from '../tokens.ts';

const maxCountingMs = 30_000;

const tableInfo = model('TableInfo', {
  table_name: Type.String(),
  row_count: Type.Integer(),
  file_count: Type.Optional(Type.Integer({ default: 0 })),
  total_size_bytes: Type.Optional(Type.Integer({ default: 0 })),
  s3_location: Type.Optional(nullable(Type.String())),
});

export default defineRoute({
  name: 'list-tables',
  path: 'GET /v1/graphs/{graph_id}/tables',
  summary: 'The tables of the graph with their rows and files: nodes, then relationships, as declared.',
  openapi: { id: 'list_tables', tag: 'tables' },
  category: 'graph_read',
  auth: ['api-key', 'bearer'],
  role: 'viewer',
  effect: 'read',
  answers: {
    200: model('TableListResponse', { tables: Type.Array(tableInfo), total_count: Type.Integer() }),
  },
  fails: [400, 401, 403, 404, 422, 429, 500],
  services: {
    store: kernel.store,
    graphs: kernel.graphs,
    schemas: graphSchemas,
    staging: kernel.stagingStore,
    graphStore: kernel.graphStore,
    analyticalGraph,
  },
  errors: { STAGING_UNAVAILABLE: stagingErrors.STAGING_UNAVAILABLE },

  async handle({ ctx, use }) {
    const graph = graphOf(ctx);
    if (graph.parentId !== undefined) return { tables: [], total_count: 0 };
    const { tables, files } = await use.store.transaction(
      { graphId: graph.id },
      async (tx) => ({ tables: stagedTables(await use.schemas.of(tx, graph)), files: await filesByTable(tx) }),
      { readOnly: true },
    );
    const rows = graph.type === 'generic' ? await stagedRows(use, graph.id, tables) : await builtRows(use, graph);
    const listed = tables.map(({ name, kind }) => {
      const own = files.find(({ table_name }) => table_name === name);
      return {
        table_name: name,
        row_count: rows.get(name) ?? 0,
        file_count: own?.files ?? 0,
        total_size_bytes: own?.bytes ?? 0,
        s3_location: null,
        // Beyond the contract: the published high-level client reads it (graphs T-2).
        table_type: kind,
      };
    });
    return { tables: listed, total_count: listed.length };
  },
});

async function stagedRows(...words: Parameters<typeof stagedStates>): Promise<ReadonlyMap<string, number>> {
  return new Map((await stagedStates(...words)).map(({ name, rows }) => [name, rows]));
}

/** An entity graph stages nothing, so its rows are those of its last materialization (graphs T-1). */
async function builtRows(
  use: { readonly analyticalGraph: AnalyticalGraph; readonly graphStore: GraphStore },
  graph: GraphFacts,
): Promise<ReadonlyMap<string, number>> {
  const started = performance.now();
  try {
    const { nodes, relationships } = await use.graphStore.stats(await use.analyticalGraph.active(graph));
    return new Map([...Object.entries(nodes), ...Object.entries(relationships)]);
  } catch (error) {
    throw queryFailure(error, { timeoutMs: maxCountingMs, elapsedMs: performance.now() - started });
  }
}
