import { factStore, ruleEngine, ruleStore } from '@pacioli/blocks';
import { kernel, textChanges, type Use } from '@pacioli/core';
import { balances, calendar, entities, entryFlows } from '@pacioli/ledger';
import {
  chartOfAccounts,
  library,
  libraryReads,
  mappings,
  statementStructures,
  structureParts,
  taxonomyReads,
} from '@pacioli/taxonomy';
import { config } from '../config.ts';
import { bundleValidator } from '../serialization/shapes/index.ts';

/** The services that operations on reports use. */
export const reportServices = {
  balances,
  calendar,
  chart: chartOfAccounts,
  entities,
  entryFlows,
  facts: factStore,
  files: kernel.fileStore,
  graphs: kernel.graphs,
  ids: kernel.ids,
  library,
  libraryReads,
  mappings,
  ruleDefinitions: ruleStore,
  rules: ruleEngine,
  settings: config.token,
  statements: statementStructures,
  store: kernel.store,
  structures: structureParts,
  taxonomyReads,
  textChanges,
  validator: bundleValidator,
};

export type ReportServices = Use<typeof reportServices>;
