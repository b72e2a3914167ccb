import { definePlugin } from '@pacioli/core';
import { all } from './all.gen.ts';
import { providers } from './providers.ts';

/** A watchlist of securities for each graph. */
export default definePlugin({
  name: 'watchlist',
  title: 'Watchlist',
  version: '0.1.0',
  kernel: '^0.1.0',
  domain: 'watchlist',
  providers,
  migrations: new URL('./migrations/', import.meta.url),
  ...all,
});
