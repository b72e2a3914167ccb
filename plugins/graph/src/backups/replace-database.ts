import { type GraphRecord, type Graphs, ServiceError, type Subgraphs, type Transaction } from '@pacioli/core';
import type { GenerationRef, GraphStats } from '@pacioli/core/ports';
import { activate, startBuild } from '../generations/index.ts';
import { rowCount } from '../row-count.ts';
import { type BackupServices, backUpGraph } from './back-up-graph.ts';
import { finalRetentionDays } from './stored-backups.ts';

export interface ReplaceServices extends BackupServices {
  readonly graphs: Graphs;
  readonly subgraphs: Subgraphs;
}

export interface Replaced {
  readonly stats: GraphStats;
  /** The backup of what the graph had before; undefined if none was taken. */
  readonly finalBackupId: string | undefined;
}

/**
 * Replaces the database of a graph by another one that `build` makes next to it. A failure leaves the graph as it was
 * (graphs B-20, P-3).
 */
export async function replaceDatabase(
  parts: ReplaceServices,
  request: {
    readonly graph: GraphRecord;
    readonly hasFinalBackup: boolean;
    readonly signal: AbortSignal;
    /** The records may be newer than the content, so the next materialization brings the graph up to date. */
    readonly reason: string;
    /** Makes the complete database, or removes what it has made. */
    readonly build: (ref: GenerationRef) => Promise<GraphStats>;
  },
): Promise<Replaced> {
  const { graph, signal } = request;
  const before = await parts.analytical.active(graph);
  const final = { listedUnder: graph.id, of: graph, initiatedBy: 'final', retentionDays: finalRetentionDays } as const;
  // The database of a graph that comes from another engine is not on this one.
  const isBackedUp = request.hasFinalBackup && (await parts.graphStore.exists(before));
  const finalBackupId = isBackedUp ? (await backUpGraph(parts, { ...final, signal })).id : undefined;
  const inGraph = <T>(work: (tx: Transaction) => Promise<T>): Promise<T> =>
    parts.store.transaction({ graphId: graph.id }, work);
  const run = parts.ids.make('restore');
  const generation =
    graph.parentId === undefined
      ? (await inGraph((tx) => startBuild(tx, { graphId: graph.id, run, taken: undefined }))).number
      : await parts.store.transaction('kernel', (tx) => parts.subgraphs.nextGeneration(tx));
  const stats = await request.build({ graphId: graph.id, generation });
  const total = rowCount(stats.nodes) + rowCount(stats.relationships);
  if (graph.parentId === undefined) {
    const isActive = await inGraph(async (tx) => {
      await parts.graphs.markReplaced(tx, graph.id, request.reason);
      return activate(tx, { graphId: graph.id, run, number: generation, rows: total, now: parts.clock.now() });
    });
    if (!isActive)
      throw new ServiceError('conflict', 'RESTORE_REPLACED', 'The graph was rebuilt meanwhile. Try it again.');
  } else {
    await parts.store.transaction('kernel', (tx) => parts.subgraphs.setGeneration(tx, graph.id, generation));
  }
  await parts.graphStore.drop(before);
  return { stats, finalBackupId };
}
