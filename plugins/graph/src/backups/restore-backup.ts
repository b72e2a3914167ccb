import { type GraphRecord, type Graphs, ServiceError, type Subgraphs, type Transaction } from '@pacioli/core';
import { type GraphStats, isGraphStoreError } from '@pacioli/core/ports';
import { activate, startBuild } from '../generations/index.ts';
import { rowCount } from '../row-count.ts';
import { type BackupServices, backUpGraph } from './back-up-graph.ts';
import type { ReadArchive } from './read-archive.ts';
import { finalRetentionDays } from './stored-backups.ts';

interface RestoreServices extends BackupServices {
  readonly graphs: Graphs;
  readonly subgraphs: Subgraphs;
}

export interface Restored {
  readonly stats: GraphStats;
  /** The backup of what the graph had before; undefined if none was taken. */
  readonly finalBackupId: string | undefined;
}

/**
 * Replaces the database of a graph by the content of a backup. The content is built next to the database and its rows
 * are counted before it takes the place; a failure leaves the graph as it was (graphs B-20).
 */
export async function restoreBackup(
  parts: RestoreServices,
  request: {
    readonly graph: GraphRecord;
    readonly archive: ReadArchive;
    readonly hasFinalBackup: boolean;
    readonly signal: AbortSignal;
  },
): Promise<Restored> {
  const { graph, signal } = request;
  const before = await parts.analytical.active(graph);
  const final = { listedUnder: graph.id, of: graph, initiatedBy: 'final', retentionDays: finalRetentionDays } as const;
  const finalBackupId = request.hasFinalBackup ? (await backUpGraph(parts, { ...final, signal })).id : undefined;
  const inGraph = <T>(work: (tx: Transaction) => Promise<T>): Promise<T> =>
    parts.store.transaction({ graphId: graph.id }, work);
  const run = parts.ids.make('restore');
  const generation =
    graph.parentId === undefined
      ? (await inGraph((tx) => startBuild(tx, { graphId: graph.id, run, taken: undefined }))).number
      : await parts.store.transaction('kernel', (tx) => parts.subgraphs.nextGeneration(tx));
  const ref = { graphId: graph.id, generation };
  const stats = await build(parts, ref, request);
  const total = rowCount(stats.nodes) + rowCount(stats.relationships);
  if (graph.parentId === undefined) {
    const isActive = await inGraph(async (tx) => {
      // The records may be newer than the backup, so the next materialization brings the graph up to date.
      await parts.graphs.markStale(tx, graph.id, 'backup_restored');
      return activate(tx, { graphId: graph.id, run, number: generation, rows: total, now: parts.clock.now() });
    });
    if (!isActive)
      throw new ServiceError('conflict', 'RESTORE_REPLACED', 'The graph was rebuilt meanwhile. Restore again.');
  } else {
    await parts.store.transaction('kernel', (tx) => parts.subgraphs.setGeneration(tx, graph.id, generation));
  }
  await parts.graphStore.drop(before);
  return { stats, finalBackupId };
}

async function build(
  parts: RestoreServices,
  ref: { readonly graphId: string; readonly generation: number },
  { archive, signal }: { readonly archive: ReadArchive; readonly signal: AbortSignal },
): Promise<GraphStats> {
  const { manifest } = archive;
  const restored = await parts.graphStore
    .restore(ref, { format: manifest.format, chunks: await archive.content() }, signal)
    .catch((error: unknown) => {
      if (!isGraphStoreError(error)) throw error;
      throw new ServiceError('refused', 'BACKUP_NOT_RESTORED', `The backup was not restored. ${error.message}`, {
        cause: error,
      });
    });
  const isSame = (left: Readonly<Record<string, number>>, right: Readonly<Record<string, number>>): boolean =>
    JSON.stringify(Object.entries(left).sort()) === JSON.stringify(Object.entries(right).sort());
  if (isSame(restored.nodes, manifest.nodes) && isSame(restored.relationships, manifest.relationships)) return restored;
  await parts.graphStore.drop(ref);
  const message = 'The backup was not restored: its rows are not those that its manifest counts.';
  throw new ServiceError('refused', 'BACKUP_NOT_RESTORED', message);
}
