import { defineTool, kernel, model } from '@pacioli/core';
import { queryErrors, queryFailure } from '../cypher/index.ts';
import { rowCount } from '../row-count.ts';
import { analyticalGraph } from '../tokens.ts';

const maxCountingMs = 30_000;

export default defineTool({
  name: 'get-graph-info',
  title: 'Get facts of the graph',
  description:
    'What this graph is: its name, kind, extensions and tier, the number of nodes and relationships, and whether the ' +
    'analytical graph is behind the records.',
  role: 'viewer',
  effect: 'read',
  gate: { graphs: ['tenant', 'subgraph', 'repository'] },
  input: model('GetGraphInfoArguments', {}, { closed: true }),
  services: { analyticalGraph, graphStore: kernel.graphStore, domains: kernel.domains },
  errors: queryErrors,

  async handle({ ctx, use }) {
    const { graph } = ctx;
    const started = performance.now();
    const stats = await use.analyticalGraph
      .active(graph)
      .then((generation) => use.graphStore.stats(generation))
      .catch((error: unknown) => {
        throw queryFailure(error, { timeoutMs: maxCountingMs, elapsedMs: performance.now() - started });
      });
    const freshness = await ctx.transaction((tx) => use.analyticalGraph.freshness(tx, graph));
    return {
      graph_id: graph.id,
      name: graph.name,
      kind: graph.parentId === undefined ? graph.type : 'subgraph',
      extensions: graph.extensions.map((domain) => use.domains.wireName(domain)),
      tier: graph.tier,
      role: graph.role,
      parent_graph_id: graph.parentId ?? null,
      node_count: rowCount(stats.nodes),
      relationship_count: rowCount(stats.relationships),
      nodes_by_label: stats.nodes,
      materialized_at: freshness.materializedAt?.toISOString() ?? null,
      is_stale: freshness.staleSince !== null,
      stale_reason: freshness.staleReason,
    };
  },
});
