import { definePlugin } from '@pacioli/core';
import { all } from './all.gen.ts';
import { providerRegistry } from './internal-tokens.ts';
import { contributions, providers } from './providers.ts';

/** Connections of a graph to outside systems, and the sources that its events may name. */
export default definePlugin({
  name: 'connections',
  title: 'Connections to outside systems',
  version: '0.1.0',
  kernel: '^0.1.0',
  dependsOn: ['ledger'],
  providers,
  contributions,
  migrations: new URL('./migrations/', import.meta.url),
  services: { providerRegistry },
  // Made here, so that a provider which the API has no word for is found at the start and not by a user.
  async start({ use }) {
    use.providerRegistry.infos();
  },
  ...all,
});
