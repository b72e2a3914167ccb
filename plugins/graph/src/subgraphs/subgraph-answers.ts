import type { Subgraph, TypeOf } from '@pacioli/core';
import type { GraphStats } from '@pacioli/core/ports';
import type subgraphResponse from '../models/SubgraphResponse.ts';

/** A subgraph as the wire shows it; sizes and counts are null if they were not measured. */
export function subgraphAnswer(subgraph: Subgraph, stats?: GraphStats): TypeOf<typeof subgraphResponse> {
  const total = (counts: Readonly<Record<string, number>>): number =>
    Object.values(counts).reduce((sum, count) => sum + count, 0);
  return {
    graph_id: subgraph.graphId,
    parent_graph_id: subgraph.parentId,
    subgraph_index: subgraph.index,
    subgraph_name: subgraph.name,
    display_name: subgraph.displayName,
    subgraph_type: subgraph.type,
    status: subgraph.status,
    created_at: subgraph.createdAt.toISOString(),
    updated_at: subgraph.updatedAt.toISOString(),
    description: subgraph.description === '' ? null : subgraph.description,
    size_bytes: stats?.size_bytes ?? null,
    size_mb: stats === undefined ? null : megabytes(stats.size_bytes),
    node_count: stats === undefined ? null : total(stats.nodes),
    edge_count: stats === undefined ? null : total(stats.relationships),
    last_accessed: null,
    metadata: subgraph.metadata === null ? null : { ...subgraph.metadata },
  };
}

export const megabytes = (bytes: number): number => bytes / 1024 ** 2;
