import type { Store, Subgraphs } from '@pacioli/core';
import type { GraphStore, StagingStore } from '@pacioli/core/ports';
import { activeGeneration } from '../generations/index.ts';
import type { StoredBytes, StoredItem } from './storage-status.ts';

interface Sources {
  readonly store: Store;
  readonly graphStore: GraphStore;
  readonly staging: StagingStore;
  readonly subgraphs: Subgraphs;
}

/**
 * Measures a graph’s storage: its active database, those of its subgraphs, its staged rows, and any database that a
 * rebuild has not finished or removed yet (graphs L-4, H-22). Where the engine does not report sizes, only the staged
 * rows are known, and the sums are unknown.
 */
export async function measureGraphStorage(use: Sources, graphId: string): Promise<StoredBytes> {
  const subgraphs = await use.store.transaction('kernel', (tx) => use.subgraphs.list(tx, graphId), { readOnly: true });
  const own = await use.graphStore.sizes(graphId);
  const active = own.length === 0 ? undefined : await activeDatabase(use, graphId);
  const items = own.map(
    ({ generation, size_bytes }): StoredItem => ({
      type: generation === active ? 'graph' : 'transient',
      id: `${graphId}.g${generation}`,
      bytes: size_bytes,
    }),
  );
  for (const { graphId: id } of use.graphStore.capabilities.reportsSizes ? subgraphs : []) {
    const bytes = (await use.graphStore.sizes(id)).reduce((sum, { size_bytes }) => sum + size_bytes, 0);
    items.push({ type: 'subgraph', id, bytes });
  }
  for (const { graphId: id, size_bytes } of await use.staging.sizes(graphId)) {
    items.push({ type: 'staging', id, bytes: size_bytes });
  }
  const sum = (chosen: readonly StoredItem[]): number => chosen.reduce((total, { bytes }) => total + bytes, 0);
  if (!use.graphStore.capabilities.reportsSizes) return { items, durableBytes: null, total_bytes: null };
  return { items, durableBytes: sum(items.filter(({ type }) => type !== 'transient')), total_bytes: sum(items) };
}

function activeDatabase({ store, subgraphs }: Sources, graphId: string): Promise<number | undefined> {
  const read = async (tx: Parameters<typeof activeGeneration>[0]): Promise<number | undefined> =>
    (await subgraphs.generation(tx, graphId)) ?? (await activeGeneration(tx, graphId));
  return store.transaction({ graphId }, read, { readOnly: true });
}
