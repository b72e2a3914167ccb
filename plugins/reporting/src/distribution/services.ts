import { factStore } from '@pacioli/blocks';
import { eventPublisher, kernel, operationRuns, orgDirectory, textChanges, type Use } from '@pacioli/core';
import { declaredSources, entities, linkedEntities } from '@pacioli/ledger';
import { library, linkedTaxonomies, structureParts } from '@pacioli/taxonomy';
import { config } from '../config.ts';

/** The services that the distribution of reports uses. */
export const distributionServices = {
  clock: kernel.clock,
  declared: declaredSources,
  entities,
  events: eventPublisher,
  facts: factStore,
  files: kernel.fileStore,
  graphs: kernel.graphs,
  ids: kernel.ids,
  library,
  linkedEntities,
  linkedTaxonomies,
  log: kernel.log,
  orgs: orgDirectory,
  runs: operationRuns,
  settings: config.token,
  store: kernel.store,
  structures: structureParts,
  textChanges,
};

export type DistributionServices = Use<typeof distributionServices>;
