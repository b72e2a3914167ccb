import { type GraphRecord, type Graphs, type Log, ServiceError, type Subgraphs, type Transaction } from '@pacioli/core';
import type { GenerationRef, GraphStats } from '@pacioli/core/ports';
import { activate, restorePrefix, startBuild } from '../generations/index.ts';
import { rowCount } from '../row-count.ts';
import { type BackupServices, backUpGraph } from './back-up-graph.ts';
import { finalRetentionDays } from './stored-backups.ts';

export interface ReplaceServices extends BackupServices {
  readonly graphs: Graphs;
  readonly subgraphs: Subgraphs;
  readonly log: Log;
}

export interface Replaced {
  readonly stats: GraphStats;
  /** The backup of what the graph had before; undefined if none was taken. */
  readonly finalBackupId: string | undefined;
}

const replacedMessage =
  'The graph was rebuilt during the restore or import and was not replaced. Run the command again.';

/**
 * Replaces the database of a graph by another one that `build` makes next to it. A failure leaves the graph as it was
 * (graphs B-20, P-3).
 */
export async function replaceDatabase(
  services: ReplaceServices,
  request: {
    readonly graph: GraphRecord;
    readonly takesFinalBackup: boolean;
    readonly signal: AbortSignal;
    /** The stale reason that the graph gets, because its records may be newer than the content (graphs M-33). */
    readonly reason: string;
    /** Makes the complete database, or removes what it has made. */
    readonly build: (ref: GenerationRef) => Promise<GraphStats>;
  },
): Promise<Replaced> {
  const { graph, signal } = request;
  const before = await services.analytical.active(graph);
  const inGraph = <T>(work: (tx: Transaction) => Promise<T>): Promise<T> =>
    services.store.transaction({ graphId: graph.id }, work);
  const run = services.ids.make(restorePrefix);
  const generation =
    graph.parentId === undefined
      ? (await inGraph((tx) => startBuild(tx, { graphId: graph.id, run, taken: undefined }))).number
      : await services.store.transaction('kernel', (tx) => services.subgraphs.nextGeneration(tx));
  const ref = { graphId: graph.id, generation };
  await dropUnfinished(services, { ref, before });
  const stats = await request.build(ref);
  // Only now, so that content which is refused leaves no backup that is kept for months.
  const finalBackupId = request.takesFinalBackup
    ? await finalBackup(services, { graph, before, ref, signal })
    : undefined;
  const total = rowCount(stats.nodes) + rowCount(stats.relationships);
  if (graph.parentId === undefined) {
    const isActive = await inGraph(async (tx) => {
      await services.graphs.markReplaced(tx, graph.id, request.reason);
      return activate(tx, { graphId: graph.id, run, number: generation, rows: total, now: services.clock.now() });
    });
    if (!isActive) {
      await dropUnused(services, ref);
      throw new ServiceError('conflict', 'RESTORE_REPLACED', replacedMessage);
    }
  } else {
    await services.store.transaction('kernel', (tx) => services.subgraphs.setGeneration(tx, graph.id, generation));
  }
  await dropUnused(services, before);
  return { stats, finalBackupId };
}

/** Backs up what the graph has before it is replaced; without that, the new database is removed. */
async function finalBackup(
  services: ReplaceServices,
  {
    graph,
    before,
    ref,
    signal,
  }: {
    readonly graph: GraphRecord;
    readonly before: GenerationRef;
    readonly ref: GenerationRef;
    readonly signal: AbortSignal;
  },
): Promise<string | undefined> {
  const final = { listedUnder: graph.id, of: graph, initiatedBy: 'final', retentionDays: finalRetentionDays } as const;
  try {
    // After a change of engine this one has no database of the graph, so there is nothing to back up.
    if (!(await services.graphStore.exists(before))) return undefined;
    return (await backUpGraph(services, { ...final, signal })).id;
  } catch (error) {
    await dropUnused(services, ref);
    throw error;
  }
}

/**
 * Removes what builds and commands have made and not put in place, whose processes were killed. From here on none of them
 * can, because numbers rise.
 */
async function dropUnfinished(
  { graphStore }: ReplaceServices,
  { ref, before }: { readonly ref: GenerationRef; readonly before: GenerationRef },
): Promise<void> {
  for (const generation of await graphStore.generations(ref.graphId))
    if (generation < ref.generation && generation !== before.generation) await graphStore.drop({ ...ref, generation });
}

/** The graph no longer depends on this database, so a failure to remove it is only logged. */
async function dropUnused({ graphStore, log }: ReplaceServices, unused: GenerationRef): Promise<void> {
  await graphStore.drop(unused).catch((error: unknown) => {
    log.error('an unused generation of a graph was not removed', { ...unused, error });
  });
}
