import { factStore, reportingEntities, ruleEngine, ruleStore } from '@pacioli/blocks';
import type { Use } from '@pacioli/core';
import { balances, calendar, entities, entryFlows, plannedMovements } from '@pacioli/ledger';
import {
  chartOfAccounts,
  library,
  mappings,
  statementStructures,
  structureParts,
  structureWrites,
} from '@pacioli/taxonomy';

/** The services that forecasts use. */
export const forecastServices = {
  balances,
  calendar,
  chart: chartOfAccounts,
  engine: ruleEngine,
  entities,
  entryFlows,
  facts: factStore,
  library,
  mappings,
  movements: plannedMovements,
  reportingEntities,
  rules: ruleStore,
  statements: statementStructures,
  structures: structureParts,
  writes: structureWrites,
};

export type ForecastServices = Use<typeof forecastServices>;
