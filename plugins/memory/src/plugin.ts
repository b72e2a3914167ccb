import { definePlugin } from '@pacioli/core';
import { all } from './all.gen.ts';
import { config } from './config.ts';
import { providers } from './providers.ts';

/** Short texts of a graph that AI clients store and find by meaning. */
export default definePlugin({
  name: 'memory',
  title: 'Semantic memory',
  version: '0.1.0',
  kernel: '^0.1.0',
  config,
  providers,
  migrations: new URL('./migrations/', import.meta.url),
  // The job finds graphs without vectors in the kernel's scope; texts are visible only in the scope of their graph.
  tables: { memory_vector_state: { kernelScope: 'read' } },
  ...all,
});
