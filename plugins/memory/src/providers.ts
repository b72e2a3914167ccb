import { createToken, kernel, type Provider, provide } from '@pacioli/core';
import { config } from './config.ts';
import { GraphMemories, PendingVectors, StoredMemories } from './memories/index.ts';
import { memories } from './tokens.ts';
import { TextEmbedder } from './vectors/index.ts';

/** The services behind the operations, routes and jobs of this plugin. */
export interface MemoryParts {
  readonly graphMemories: GraphMemories;
  readonly stored: StoredMemories;
  readonly pending: PendingVectors;
}

export const memoryParts = createToken<MemoryParts>('memory.parts');

export const providers: readonly Provider[] = [
  provide(memoryParts, {
    services: { settings: config.token, store: kernel.store, embedder: kernel.embedder },
    create: ({ settings, store, embedder: driver }): MemoryParts => {
      const stored = new StoredMemories();
      const embedder = new TextEmbedder(driver);
      const pending = new PendingVectors({ store, memories: stored, embedder });
      return {
        stored,
        pending,
        graphMemories: new GraphMemories({ settings, store, memories: stored, embedder, pending }),
      };
    },
  }),
  provide(memories, { services: { memoryParts }, create: (use) => use.memoryParts.graphMemories }),
];
