import { definePlugin } from '@pacioli/core';
import { all } from './all.gen.ts';
import { config } from './config.ts';
import { contributions, providers } from './providers.ts';

/** Documents of a graph, and the search for passages. */
export default definePlugin({
  name: 'search',
  title: 'Documents and search',
  version: '0.1.0',
  kernel: '^0.1.0',
  config,
  providers,
  contributions,
  // The jobs find what is pending in all graphs, and the removal of a subgraph runs in the scope of the kernel.
  tables: {
    search_document: { kernelScope: 'write' },
    search_pending: { kernelScope: 'write' },
    search_graph: { kernelScope: 'write' },
    search_pending_text: { kernelScope: 'write' },
    search_listed_text: { kernelScope: 'write' },
  },
  migrations: new URL('./migrations/', import.meta.url),
  ...all,
});
