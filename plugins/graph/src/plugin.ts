import { definePlugin } from '@pacioli/core';
import { all } from './all.gen.ts';
import { providers } from './providers.ts';

export default definePlugin({
  name: 'graph',
  title: 'Analytical graphs',
  version: '0.1.0',
  kernel: '^0.1.0',
  providers,
  migrations: new URL('./migrations/', import.meta.url),
  ...all,
});
