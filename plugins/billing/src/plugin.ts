import { definePlugin } from '@pacioli/core';
import { all } from './all.gen.ts';
import { config } from './config.ts';
import { contributions, providers } from './providers.ts';

/** Subscriptions, checkout and invoices behind a payment port. */
export default definePlugin({
  name: 'billing',
  title: 'Billing',
  version: '0.1.0',
  kernel: '^0.1.0',
  config,
  providers,
  contributions,
  migrations: new URL('./migrations/', import.meta.url),
  // Customers, invoices and subscriptions belong to organizations, not to graphs.
  tables: { '*': { rows: 'kernel' }, billing_audit: { rows: 'kernel', application: 'append' } },
  ...all,
});
