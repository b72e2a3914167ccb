import { definePlugin } from '@pacioli/core';
import { all } from './all.gen.ts';
import { config } from './config.ts';
import { contributions, providers } from './providers.ts';

/** Portfolios of an investor: securities, positions and what they are worth. */
export default definePlugin({
  name: 'investor',
  title: 'Portfolios and securities',
  version: '0.1.0',
  kernel: '^0.1.0',
  dependsOn: ['ledger', 'taxonomy'],
  domain: 'investor',
  // Entities come from the ledger's services, which every graph has; an investor need not keep books.
  requiredDomains: [],
  config,
  providers,
  contributions,
  migrations: new URL('./migrations/', import.meta.url),
  ...all,
});
