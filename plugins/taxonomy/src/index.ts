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
export type { StructuralResult } from './blocks/index.ts';
export { ambiguityMessage, chartLockKey, preferPrimaryChart } from './charts/index.ts';
export {
  type ChangedCalculation,
  defaultStyleCode,
  type LibraryAssociationRow,
  type LibraryCatalog,
  type LibraryChanges,
  type LibraryElementRow,
  type LibraryPin,
  type LibraryStructureRow,
  type LibraryTaxonomyRow,
  libraryId,
  type StatementContribution,
  type StatementLeaf,
  type StatementRow,
  type StatementStructure,
  type Statements,
  type StyleStatements,
} from './library/index.ts';
export {
  type AffectedMapping,
  type LibraryUpgradeReport,
  libraryUpgradeReport,
  type PinUpgradeReport,
  type SharedPin,
} from './library-upgrades/index.ts';
export { type LibraryView, type LibraryViews, libraryViews } from './library-views.ts';
export { paginationInfo } from './models/graphql-types.ts';
export type { ConnectionPart, ElementPart, StructurePart, StructurePartFilter } from './models/structure-parts.ts';
export { default } from './plugin.ts';
export { type LibraryReads, libraryReads, type TaxonomyReads, taxonomyReads } from './read-tokens.ts';
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
export {
  type BalanceType,
  balanceTypeOfTrait,
  libraryGraphId,
  type PeriodType,
  periodTypeOfTrait,
  type ReportingStyle,
} from './vocabulary/index.ts';
