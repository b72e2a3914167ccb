/** Charts of accounts, their accounts and mappings as stored. */
export { ambiguityMessage, preferPrimaryChart } from './account-choice.ts';
export {
  accountsOfRows,
  allAccounts,
  countAccounts,
  findAccounts,
  findAccountsByCode,
  findAccountsByExternalId,
  listAccounts,
  lockAccounts,
  selectAccounts,
} from './accounts.ts';
export { chartLockKey } from './chart-lock.ts';
export { chartExists, createChart, createMapping } from './create-chart.ts';
export {
  deleteAssociations,
  findAssociation,
  findBookMappingId,
  findConflictingArc,
  findMapping,
  findMappingConcepts,
  listAssociations,
  listCoverage,
  listMappings,
  listUnmapped,
} from './mappings.ts';
