import { type Graph, kernel, operationRuns, ServiceError, subgraphs, tierNumbers, type Use } from '@pacioli/core';
import { type GraphStore, isGraphStoreError } from '@pacioli/core/ports';
import { backupSummary } from './backups/index.ts';
import { graphHealth, lastBuildFailure, queryCounts } from './health/index.ts';
import { analyticalGraph } from './tokens.ts';
import { knownGigabytes, measureGraphStorage } from './usage/index.ts';

const maxProbeMs = 10_000;

/** The services that `measureHealth` reads. */
export const healthServices = {
  analyticalGraph,
  graphStore: kernel.graphStore,
  staging: kernel.stagingStore,
  subgraphs,
  graphs: kernel.graphs,
  store: kernel.store,
  queryCounts,
  runs: operationRuns,
};

/** Measures a graph and judges its health (graphs H-1 to H-4). Throws 408 if the engine does not answer in time. */
export async function measureHealth(use: Use<typeof healthServices>, graph: Graph, now: Date) {
  const isReachable = await isGraphReachable(use.graphStore, () => use.analyticalGraph.catalog(graph));
  const storage = await measureGraphStorage(use, graph.id).catch((error: unknown) => {
    if (isGraphStoreError(error)) return undefined;
    throw error;
  });
  const { freshness, buildFailure, createdAt } = await use.store.transaction(
    { graphId: graph.id },
    async (tx) => ({
      freshness: await use.analyticalGraph.freshness(tx, graph),
      buildFailure: await lastBuildFailure(tx, use.runs),
      createdAt: (await use.graphs.find(tx, graph.id))?.createdAt ?? now,
    }),
    { readOnly: true },
  );
  const backups = await use.store.transaction(
    'kernel',
    (tx) => backupSummary(tx, { id: graph.id, parentId: graph.parentId, since: createdAt }),
    { readOnly: true },
  );
  const queries = await use.queryCounts.lastDay(graph.id);
  const health = graphHealth({
    now,
    isReachable,
    queries,
    ...freshness,
    buildFailure,
    hasFailedBackup: backups.hasFailed,
    storedGb: knownGigabytes(storage?.durableBytes ?? null) ?? undefined,
    maxGb: tierNumbers(graph.tier === '' ? 'ladybug-shared' : graph.tier).maxStorageGb,
  });
  return { health, isReachable, queries, storage, freshness };
}

/** True if the engine opens the graph; throws 408 if it does not answer in time. */
async function isGraphReachable(graphStore: GraphStore, open: () => Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_resolve, reject) => {
    const timeout = () => reject(new ServiceError('timeout', 'QUERY_TIMEOUT', 'The graph engine does not answer.'));
    timer = setTimeout(timeout, maxProbeMs);
  });
  try {
    const { reachable } = await Promise.race([graphStore.probe(), tooLate]);
    if (!reachable) return false;
    await Promise.race([open(), tooLate]);
    return true;
  } catch (error) {
    if (isGraphStoreError(error)) return false;
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
