import { definePlugin, kernel } from '@pacioli/core';
import { chartOfAccounts } from '@pacioli/taxonomy';
import { all } from './all.gen.ts';
import { requireSourceNames } from './event-blocks/index.ts';
import { settleBooksAnew } from './open-items/index.ts';
import { contributions, providers } from './providers.ts';
import { bookkeepingSources } from './tokens.ts';

/** Transactional accounting: events, the journal, balances, the fiscal calendar. */
export default definePlugin({
  name: 'ledger',
  title: 'Accounting and financial reporting',
  version: '0.1.0',
  kernel: '^0.1.0',
  dependsOn: ['taxonomy', 'blocks'],
  domain: 'ledger',
  providers,
  contributions,
  migrations: new URL('./migrations/', import.meta.url),
  // Jobs find graphs with work in the kernel's scope, and do the work in the scope of each graph.
  tables: {
    ledger_log: { kernelScope: 'read', application: 'append' },
    ledger_obligation_sweep: { kernelScope: 'read' },
    ledger_resettlement: { kernelScope: 'read' },
  },
  securityDefinerFunctions: ['ledger_gather_statistics', 'ledger_log_chain_link'],
  services: { store: kernel.store, chart: chartOfAccounts, sources: bookkeepingSources },
  ...all,

  async start({ use, ctx }) {
    requireSourceNames(use.sources.map(({ key }) => key));
    await settleBooksAnew({ ...use, log: ctx.log, signal: ctx.signal });
  },
});
