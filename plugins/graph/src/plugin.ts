import { definePlugin } from '@pacioli/core';
import { all } from './all.gen.ts';
import { config } from './config.ts';
import { contributions, providers } from './providers.ts';

export default definePlugin({
  name: 'graph',
  title: 'Analytical graphs',
  version: '0.1.0',
  kernel: '^0.1.0',
  config,
  providers,
  contributions,
  // Health reads them for one graph; processes write those of all graphs at once.
  tables: {
    graph_backup_entry: { rows: 'kernel', graphScope: 'own-rows' },
    graph_nightly_backup: { rows: 'kernel', graphScope: 'own-rows' },
    graph_file: { rows: 'kernel', graphScope: 'own-rows' },
    graph_generation: { kernelScope: 'read' },
    graph_refresh: { rows: 'kernel', graphScope: 'own-rows' },
    graph_query_count: { rows: 'kernel' },
    graph_last_access: { rows: 'kernel' },
  },
  migrations: new URL('./migrations/', import.meta.url),
  ...all,
});
