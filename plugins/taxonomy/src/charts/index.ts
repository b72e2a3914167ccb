/** Charts of accounts, their accounts and mappings as stored. */
export type {
  Account,
  AccountFilter,
  CreatedChart,
  ExternalIds,
  NewAccount,
  NewChart,
  PostedAccount,
} from './account.ts';
export { ambiguityMessage, preferPrimaryChart } from './account-choice.ts';
export { chartLockKey, findAccounts } from './accounts.ts';
export { type ChartOfAccounts, type EntityLinks, storedChartOfAccounts } from './chart-of-accounts.ts';
export { createMapping } from './create-chart.ts';
export {
  type AccountMapping,
  deleteAssociations,
  findAssociation,
  findConflictingArc,
  findMapping,
  listAssociations,
  listCoverage,
  listMappings,
  listUnmapped,
  type MappedAccount,
  type Mappings,
  type ReportingConcept,
  storedMappings,
} from './mappings.ts';
