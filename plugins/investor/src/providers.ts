/** The services of the plugin, and its contributions to the collections of others. */
import { type Contribution, contribute, kernel, type Provider, provide } from '@pacioli/core';
import { declaredSources, linkedEntityListeners, newCompanies } from '@pacioli/ledger';
import { createInvestments, investments, usedByInvestments } from './investments.ts';
import { StoredSecurities } from './securities/index.ts';
import { contributions as instrumentContributions, providers as termsProviders } from './terms/index.ts';
import { lockForSource } from './values/index.ts';

export const providers: readonly Provider[] = [
  ...termsProviders,
  provide(investments, { services: usedByInvestments, create: createInvestments }),
];

export const contributions: readonly Contribution[] = [
  ...instrumentContributions,
  // The company that invests: a graph without books has it, too.
  contribute(kernel.graphProvisioners, 'investor', {
    services: { newCompanies },
    create: (use) => ({
      domain: 'investor',
      provision: ({ tx, entity, now }) => use.newCompanies.ensure(tx, { entity, now }),
    }),
  }),
  // An active security declares that its source graph may share reports into the graph.
  contribute(declaredSources, 'investor', {
    services: { ids: kernel.ids },
    create: ({ ids }) => {
      const securities = new StoredSecurities(ids);
      return { declares: (tx, sourceGraphId) => securities.hasActiveOfSource(tx, sourceGraphId) };
    },
  }),
  // The first share of an issuer links the securities that wait for it (H-15).
  contribute(linkedEntityListeners, 'investor', {
    services: { ids: kernel.ids },
    create: ({ ids }) => {
      const securities = new StoredSecurities(ids);
      return {
        linked: async ({ tx, sourceGraphId, entityId, now }) => {
          await lockForSource(tx, sourceGraphId);
          await securities.linkIssuer(tx, { sourceGraphId, entityId }, now);
        },
      };
    },
  }),
];
