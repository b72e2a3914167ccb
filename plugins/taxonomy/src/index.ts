export { Element } from './analytical/Element.ts';
export type { BalanceType, PeriodType, ReportingStyle } from './domain/framework-types.ts';
export type {
  LibraryAssociationRow,
  LibraryElementRow,
  LibraryStructureRow,
  LibraryTaxonomyRow,
} from './domain/library.ts';
export type { LibraryCatalogue } from './domain/library-catalogue.ts';
export { libraryId } from './domain/library-ids.ts';
export type { StatementContribution, StatementRow, StatementStructure } from './domain/statement-structure.ts';
export { defaultStyleCode, type StatementLeaf, type Statements, type StyleStatements } from './domain/statements.ts';
export { balanceTypeOfTrait, libraryGraphId, periodTypeOfTrait } from './domain/vocabulary.ts';
export { paginationInfo } from './models/graphql-types.ts';
export type { ConnectionPart, ElementPart, StructurePart, StructurePartFilter } from './models/structure-parts.ts';
export { default } from './plugin.ts';
export {
  type NewStructure,
  type NewStructureArc,
  type StructureAuthor,
  type StructurePatch,
  type StructureWrites,
  structureWrites,
} from './structure-writes.ts';
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
  type LibraryReads,
  library,
  libraryReads,
  type MappedAccount,
  type Mappings,
  type MonthSpan,
  mappings,
  type NewAccount,
  type NewChart,
  type ReportingConcept,
  type StructureParts,
  statementStructures,
  structureParts,
  type TaxonomyReads,
  taxonomyReads,
} from './tokens.ts';
