import { definePlugin } from '@pacioli/core';
import { all } from './all.gen.ts';
import { authorizationProviders } from './authorization/providers.ts';
import { config } from './config.ts';

/** The tools of every graph for AI clients, over the Model Context Protocol. */
export default definePlugin({
  name: 'mcp',
  title: 'AI clients over the Model Context Protocol',
  version: '0.1.0',
  kernel: '^0.1.0',
  config,
  providers: authorizationProviders,
  migrations: new URL('./migrations/', import.meta.url),
  // Clients and tokens belong to users, not to graphs.
  tables: { '*': { rows: 'kernel' } },
  ...all,
});
