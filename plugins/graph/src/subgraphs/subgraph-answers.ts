import type { Subgraph, TypeOf } from '@pacioli/core';
import type { GraphStats } from '@pacioli/core/ports';
import type subgraphResponse from '../models/SubgraphResponse.ts';
import { rowCount } from '../row-count.ts';

/** What is measured of a subgraph; the wire has null for what was not. */
interface Measured {
  readonly stats?: GraphStats | undefined;
  readonly lastAccess?: Date | undefined;
}

/** A subgraph as the wire shows it. */
export function subgraphAnswer(
  subgraph: Subgraph,
  { stats, lastAccess }: Measured = {},
): TypeOf<typeof subgraphResponse> {
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
    size_mb: megabytes(stats?.size_bytes ?? null),
    node_count: stats === undefined ? null : rowCount(stats.nodes),
    edge_count: stats === undefined ? null : rowCount(stats.relationships),
    last_accessed: accessOf(subgraph, lastAccess),
    metadata: subgraph.metadata === null ? null : { ...subgraph.metadata },
  };
}

/** The time of its last statement; null if that was one of an earlier subgraph with the same name (graphs SG-12). */
export function accessOf(subgraph: Subgraph, lastAccess: Date | undefined): string | null {
  return lastAccess === undefined || lastAccess <= subgraph.createdAt ? null : lastAccess.toISOString();
}

/** Null stays unknown. */
export const megabytes = (bytes: number | null): number | null => (bytes === null ? null : bytes / 1024 ** 2);
