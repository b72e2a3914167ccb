import type { Store } from '@pacioli/core';
import type { GraphStore } from '@pacioli/core/ports';
import { activeGeneration } from '../generations/index.ts';
import type { StoredBytes, StoredItem } from './storage-status.ts';

/** Measures a graph’s storage: its active generation and any that a rebuild has not finished or removed yet. */
export async function measureGraphStorage(
  use: { readonly store: Store; readonly graphStore: GraphStore },
  graphId: string,
): Promise<StoredBytes> {
  const sizes = await use.graphStore.sizes(graphId);
  if (sizes.length === 0) return { items: [], durableBytes: 0, total_bytes: 0 };
  const active = await use.store.transaction({ graphId }, (tx) => activeGeneration(tx, graphId), { readOnly: true });
  const items = sizes.map(
    ({ generation, size_bytes }): StoredItem => ({
      type: generation === active ? 'graph' : 'transient',
      id: `${graphId}.g${generation}`,
      bytes: size_bytes,
    }),
  );
  const sum = (chosen: readonly StoredItem[]): number => chosen.reduce((total, { bytes }) => total + bytes, 0);
  return { items, durableBytes: sum(items.filter(({ type }) => type === 'graph')), total_bytes: sum(items) };
}
