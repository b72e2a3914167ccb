export { Element } from './analytical/Element.ts';
export type { BalanceType, PeriodType, ReportingStyle } from './domain/framework-types.ts';
export type { LibraryElementRow, LibraryStructureRow, LibraryTaxonomyRow } from './domain/library.ts';
export type { LibraryCatalogue } from './domain/library-catalogue.ts';
export type { StatementContribution, StatementRow, StatementStructure } from './domain/statement-structure.ts';
export { defaultStyleCode, type StatementLeaf, type Statements, type StyleStatements } from './domain/statements.ts';
export { balanceTypeOfTrait, libraryGraphId, periodTypeOfTrait } from './domain/vocabulary.ts';
export { paginationInfo } from './models/graphql-types.ts';
export { default } from './plugin.ts';
export {
  type Account,
  type AccountFilter,
  type AccountMapping,
  type ChartListener,
  type ChartOfAccounts,
  type CreatedChart,
  chartListeners,
  chartOfAccounts,
  type ElementGuard,
  type ExternalIds,
  elementGuards,
  type Library,
  library,
  libraryReads,
  type MappedAccount,
  type Mappings,
  type MonthSpan,
  mappings,
  type NewAccount,
  type NewChart,
  type ReportingConcept,
  statementStructures,
  type TaxonomyReads,
  taxonomyReads,
} from './tokens.ts';
