export { Element } from './analytical/Element.ts';
export {
  type BlockAtoms,
  type BlockDependant,
  blockDependants,
  type ChartListener,
  chartListeners,
  type ElementGuard,
  type EntityLinks,
  elementGuards,
  entityLinks,
  type MonthSpan,
  type ProtectedSets,
  type StructuralChecks,
  type StructureParts,
  structuralChecks,
  structureParts,
  type TaxonomyRule,
  type TaxonomyRules,
  taxonomyRules,
} from './block-tokens.ts';
export { ambiguityMessage, preferPrimaryChart } from './domain/account-choice.ts';
export { chartLockKey } from './domain/chart-lock.ts';
export type { BalanceType, PeriodType, ReportingStyle } from './domain/framework-types.ts';
export type {
  LibraryAssociationRow,
  LibraryElementRow,
  LibraryStructureRow,
  LibraryTaxonomyRow,
} from './domain/library.ts';
export type { LibraryCatalogue } from './domain/library-catalogue.ts';
export type { ChangedCalculation, LibraryChanges } from './domain/library-changes.ts';
export { libraryId } from './domain/library-ids.ts';
export type { LibraryPin } from './domain/library-pin.ts';
export type { StatementContribution, StatementRow, StatementStructure } from './domain/statement-structure.ts';
export { defaultStyleCode, type StatementLeaf, type Statements, type StyleStatements } from './domain/statements.ts';
export type { StructuralResult } from './domain/structural-checks.ts';
export { balanceTypeOfTrait, libraryGraphId, periodTypeOfTrait } from './domain/vocabulary.ts';
export { type LibraryView, type LibraryViews, libraryViews } from './library-views.ts';
export { paginationInfo } from './models/graphql-types.ts';
export type { ConnectionPart, ElementPart, StructurePart, StructurePartFilter } from './models/structure-parts.ts';
export { default } from './plugin.ts';
export { type LibraryReads, libraryReads, type TaxonomyReads, taxonomyReads } from './read-tokens.ts';
export {
  type AffectedMapping,
  type LibraryUpgradeReport,
  libraryUpgradeReport,
  type PinUpgradeReport,
  type SharedPin,
} from './store/library-upgrade.ts';
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
  type ChartOfAccounts,
  type CreatedChart,
  chartOfAccounts,
  type ExternalIds,
  type Library,
  library,
  type MappedAccount,
  type Mappings,
  mappings,
  type NewAccount,
  type NewChart,
  type PostedAccount,
  type ReportingConcept,
  statementStructures,
} from './tokens.ts';
