import {
  changeFeed,
  definePlugin,
  kernel,
  kernelSettings,
  provide,
  signingKeys,
  toolCatalog,
  toolRuns,
} from '@pacioli/core';
import { all } from './all.gen.ts';
import { authorizationProviders, mcpTokens } from './authorization/index.ts';
import { config } from './config.ts';
import { EndpointOnDemand, mcpEndpoint } from './endpoint/index.ts';

const version = '0.1.0';

/** The tools of every graph for AI clients, over the Model Context Protocol. */
export default definePlugin({
  name: 'mcp',
  title: 'AI clients over the Model Context Protocol',
  version,
  kernel: '^0.1.0',
  config,
  providers: [
    ...authorizationProviders,
    provide(mcpEndpoint, {
      services: {
        catalog: toolCatalog,
        runs: toolRuns,
        feed: changeFeed,
        tokens: mcpTokens,
        domains: kernel.domains,
        settings: config.token,
        kernelSettings,
        keys: signingKeys,
        store: kernel.store,
        clock: kernel.clock,
        ids: kernel.ids,
      },
      create: ({ keys, settings, kernelSettings: { publicUrl }, ...use }) =>
        new EndpointOnDemand({
          ...use,
          version,
          gate: { allowedOrigins: settings.allowedOrigins, publicUrl },
          confirmationKey: keys.keyFor('mcp confirmations'),
        }),
    }),
  ],
  migrations: new URL('./migrations/', import.meta.url),
  // Clients and tokens belong to users, not to graphs.
  tables: { '*': { rows: 'kernel' } },
  ...all,
});
