import { definePlugin } from '@pacioli/core';
import { all } from './all.gen.ts';
import { connections, contributions, providers } from './providers.ts';

/** Connections of a graph to outside systems, and the source names that its events may use. */
export default definePlugin({
  name: 'connections',
  title: 'Connections to outside systems',
  version: '0.1.0',
  kernel: '^0.1.0',
  dependsOn: ['ledger'],
  providers,
  contributions,
  migrations: new URL('./migrations/', import.meta.url),
  services: { connections },
  // Created at startup, so that a provider unknown to the API fails there instead of at a request.
  async start({ use }) {
    use.connections.registry.infos();
  },
  ...all,
});
