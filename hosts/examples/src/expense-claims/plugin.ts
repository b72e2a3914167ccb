/** A plugin that works with the ledger: claims that are posted when they are approved. */
import { contribute, definePlugin } from '@pacioli/core';
import { bookkeepingSources } from '@pacioli/ledger';
import approveClaim from './approve-claim.ts';
import claimsOpen from './claims-open.ts';
import flagLateClaims from './flag-late-claims.ts';
import openClaims from './open-claims.ts';
import submitClaim from './submit-claim.ts';

export default definePlugin({
  name: 'expense-claims',
  title: 'Expense claims',
  version: '0.2.0',
  kernel: '^0.1.0',
  domain: 'expense-claims',
  // Its services, events and types may be used, and a graph with this domain must have that of the ledger.
  dependsOn: ['ledger'],
  migrations: new URL('./migrations/', import.meta.url),
  // The source of the events that this plugin records; readers of the books see it.
  contributions: [contribute(bookkeepingSources, 'expense_claims', { create: () => ({ title: 'Expense claims' }) })],
  operations: [submitClaim, approveClaim],
  fields: [openClaims],
  jobs: [flagLateClaims],
  commands: [claimsOpen],
});
