import { definePlugin } from '@pacioli/core';
import { all } from './all.gen.ts';
import { contributions, services } from './services.ts';

/** Transactional accounting: events, the journal, balances, the fiscal calendar. */
export default definePlugin({
  name: 'ledger',
  title: 'Accounting and financial reporting',
  version: '0.1.0',
  kernel: '^0.1.0',
  dependsOn: ['taxonomy', 'blocks'],
  domain: 'ledger',
  services,
  contributions,
  migrations: new URL('./migrations/', import.meta.url),
  ...all,
});
