import { type Contribution, contribute, kernel } from '@pacioli/core';
import { newCompanies } from '../tokens.ts';

/** Creates the company of a new graph with books. */
export const newCompany: Contribution = contribute(kernel.graphProvisioners, 'ledger', {
  services: { newCompanies },
  create: (use) => ({
    domain: 'ledger',
    provision: ({ tx, entity, now }) => use.newCompanies.ensure(tx, { entity, now }),
  }),
});
