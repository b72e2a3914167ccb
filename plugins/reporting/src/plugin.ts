import { definePlugin } from '@pacioli/core';
import { all } from './all.gen.ts';

/** Financial statements from the ledger's balances. */
export default definePlugin({
  name: 'reporting',
  title: 'Financial statements',
  version: '0.1.0',
  kernel: '^0.1.0',
  dependsOn: ['blocks', 'ledger', 'taxonomy'],
  ...all,
});
