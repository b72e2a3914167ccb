import { definePlugin } from '@pacioli/core';
import { all } from './all.gen.ts';
import { contributions, providers } from './providers.ts';

/** Structures with their facts, rules and verification: the building blocks of every report and schedule. */
export default definePlugin({
  name: 'blocks',
  title: 'Information blocks, facts and rules',
  version: '0.1.0',
  kernel: '^0.1.0',
  dependsOn: ['taxonomy'],
  providers,
  contributions,
  migrations: new URL('./migrations/', import.meta.url),
  ...all,
});
