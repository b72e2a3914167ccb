import { kernel, type Store } from '@pacioli/core';
import type { GraphStore } from '@pacioli/core/ports';
import type { StoredItem } from './domain/storage-status.ts';
import { activeGeneration } from './store/generations.ts';
import type { GraphStorage } from './tokens.ts';

/** Measures a graph’s storage: its active generation and any that a rebuild has not finished or removed yet. */
export function createGraphStorage(parts: { readonly store: Store; readonly graphStore: GraphStore }): GraphStorage {
  return {
    async measure(graphId) {
      const sizes = await parts.graphStore.sizes(graphId);
      if (sizes.length === 0) return { items: [], durableBytes: 0, total_bytes: 0 };
      const active = await parts.store.transaction({ graphId }, (tx) => activeGeneration(tx, graphId), {
        readOnly: true,
      });
      const items = sizes.map(
        ({ generation, size_bytes }): StoredItem => ({
          type: generation === active ? 'graph' : 'transient',
          id: `${graphId}.g${generation}`,
          bytes: size_bytes,
        }),
      );
      const sum = (chosen: readonly StoredItem[]): number => chosen.reduce((total, { bytes }) => total + bytes, 0);
      return { items, durableBytes: sum(items.filter(({ type }) => type === 'graph')), total_bytes: sum(items) };
    },
  };
}

export const graphStorageServices = { store: kernel.store, graphStore: kernel.graphStore };
