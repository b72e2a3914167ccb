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
export type { StructuralResult } from './domain/structural-checks.ts';
export { balanceTypeOfTrait, libraryGraphId, periodTypeOfTrait } from './domain/vocabulary.ts';
export { type LibraryView, type LibraryViews, libraryViews } from './library-views.ts';
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
  type BlockAtoms,
  type BlockDependant,
  blockDependants,
  type ChartListener,
  type ChartOfAccounts,
  type CreatedChart,
  chartListeners,
  chartOfAccounts,
  type ElementGuard,
  type EntityLinks,
  type ExternalIds,
  elementGuards,
  entityLinks,
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
  type ProtectedSets,
  type ReportingConcept,
  type StructuralChecks,
  type StructureParts,
  statementStructures,
  structuralChecks,
  structureParts,
  type TaxonomyReads,
  type TaxonomyRule,
  type TaxonomyRules,
  taxonomyReads,
  taxonomyRules,
} from './tokens.ts';
