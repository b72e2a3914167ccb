import type { Clock, GraphRemovalStep, GraphSchemas, Ids, Log, RemovedGraph, Store, Subgraphs } from '@pacioli/core';
import type { FileStore, GraphStore, StagingStore } from '@pacioli/core/ports';
import { backUpGraph, finalBackupsSince, finalRetentionDays, moveBackups } from '../backups/index.ts';
import { forgetChanges } from '../changes/index.ts';
import { forgetFiles, someFiles } from '../files/index.ts';
import { forgetAccess } from '../health/index.ts';
import { forgetRefresh } from '../refresh/index.ts';
import type { AnalyticalGraph, GraphBuilder } from '../tokens.ts';

interface RemovalServices {
  readonly store: Store;
  readonly graphStore: GraphStore;
  readonly staging: StagingStore;
  readonly files: FileStore;
  readonly subgraphs: Subgraphs;
  readonly schemas: GraphSchemas;
  readonly analytical: AnalyticalGraph;
  readonly builder: GraphBuilder;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
}

const maxFilesPerBatch = 500;

/** Takes final backups of a deleted graph and its subgraphs, then removes their databases and files (graphs G-54). */
export class GraphDataRemoval implements Omit<GraphRemovalStep, 'key'> {
  readonly #services: RemovalServices;

  constructor(services: RemovalServices) {
    this.#services = services;
  }

  async preserve(graph: RemovedGraph, signal: AbortSignal): Promise<void> {
    const { store, graphStore, subgraphs } = this.#services;
    const { id, type, tier } = graph;
    const final = { listedUnder: id, initiatedBy: 'final', retentionDays: finalRetentionDays, signal } as const;
    const { taken, services } = await store.transaction('kernel', async (tx) => ({
      taken: new Set(await finalBackupsSince(tx, id, graph.removedAt)),
      services: await subgraphs.list(tx, id),
    }));
    if (!taken.has(id)) {
      if (type !== 'generic') await this.#bringUpToDate(graph, signal);
      if ((await graphStore.generations(id)).length > 0) await backUpGraph(this.#services, { ...final, of: graph });
    }
    for (const { graphId, generation, extensions } of services) {
      const database = { graphId, generation };
      if (taken.has(graphId) || !(await graphStore.exists(database))) continue;
      await backUpGraph(this.#services, {
        ...final,
        database,
        of: { id: graphId, parentId: id, type, tier, extensions },
      });
    }
  }

  async remove(graph: RemovedGraph): Promise<void> {
    const { store, staging, subgraphs, clock } = this.#services;
    const services = await store.transaction('kernel', (tx) => subgraphs.list(tx, graph.id));
    for (const { graphId } of services) {
      await this.#dropDatabases(graphId);
      await store.transaction('kernel', async (tx) => {
        await forgetChanges(tx, graphId);
        await forgetAccess(tx, graphId);
        await moveBackups(tx, { from: graphId, to: graph.id, now: clock.now() });
        await subgraphs.remove(tx, graphId);
      });
    }
    await this.#dropDatabases(graph.id);
    await store.transaction('kernel', async (tx) => {
      await forgetChanges(tx, graph.id);
      await forgetAccess(tx, graph.id);
      await forgetRefresh(tx, graph.id);
    });
    await staging.drop(graph.id);
    await this.#removeFiles(graph.id);
  }

  /** The last backup has the latest records; if they cannot be loaded, it has those of the last build. */
  async #bringUpToDate(graph: RemovedGraph, signal: AbortSignal): Promise<void> {
    const { store, builder, clock, log } = this.#services;
    try {
      await builder.build({
        graph,
        run: `removal-${graph.id}`,
        source: 'extensions',
        isForced: false,
        signal,
        now: () => clock.now(),
        transaction: (work, options) => store.transaction({ graphId: graph.id }, work, options),
        report: async () => undefined,
      });
    } catch (error) {
      if (signal.aborted) throw error;
      log.error('the final backup of a graph lacks its latest records', { graphId: graph.id, error });
    }
  }

  async #dropDatabases(graphId: string): Promise<void> {
    const { graphStore } = this.#services;
    for (const generation of await graphStore.generations(graphId)) await graphStore.drop({ graphId, generation });
  }

  /** A row goes after its file, so that nothing is left behind by a crash between the two. */
  async #removeFiles(graphId: string): Promise<void> {
    const { store, files } = this.#services;
    for (;;) {
      const some = await store.transaction({ graphId }, (tx) => someFiles(tx, maxFilesPerBatch));
      if (some.length === 0) return;
      for (const { file_key: key } of some) await files.remove(key);
      await store.transaction({ graphId }, (tx) => forgetFiles(tx, some));
    }
  }
}
