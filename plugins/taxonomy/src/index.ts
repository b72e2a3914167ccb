export { Element } from './analytical/Element.ts';
export { Structure } from './analytical/Structure.ts';
export { Taxonomy } from './analytical/Taxonomy.ts';
export type {
  BlockAtoms,
  BlockDependant,
  ChartListener,
  ElementGuard,
  LinkedTaxonomies,
  MonthSpan,
  NewStructure,
  NewStructureArc,
  ProtectedSets,
  SharedTaxonomies,
  StructuralChecks,
  StructuralResult,
  StructureAuthor,
  StructureParts,
  StructurePatch,
  StructureWrites,
  TaxonomyLink,
  TaxonomyReads,
  TaxonomyRule,
  TaxonomyRules,
} from './blocks/index.ts';
export {
  type Account,
  type AccountFilter,
  type AccountMapping,
  ambiguityMessage,
  type ChartOfAccounts,
  type CreatedChart,
  chartLockKey,
  type EntityLinks,
  type ExternalIds,
  type MappedAccount,
  type Mappings,
  type NewAccount,
  type NewChart,
  type PostedAccount,
  preferPrimaryChart,
  type ReportingConcept,
} from './charts/index.ts';
export { default as mappingChanged } from './events/mapping-changed.ts';
export {
  type CashFlowSources,
  type ChangedCalculation,
  defaultStyleCode,
  type LibraryAssociationRow,
  type LibraryCatalog,
  type LibraryChanges,
  type LibraryElementRow,
  type LibraryPin,
  type LibraryReads,
  type LibraryStructureRow,
  type LibraryTaxonomyRow,
  type LibraryView,
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
  type LibraryViews,
  libraryUpgradeReport,
  type PinUpgradeReport,
  type SharedPin,
} from './library-upgrades/index.ts';
export type { AutoMapper, MappingModel, ModelAnswer, ModelPrompt } from './mapping/index.ts';
export { paginationInfo } from './models/graphql-types.ts';
export type { ConnectionPart, ElementPart, StructurePart, StructurePartFilter } from './models/structure-parts.ts';
export { default } from './plugin.ts';
export { projectedStructureIds, projectedTaxonomyIds } from './projection/index.ts';
export {
  autoMapper,
  blockDependants,
  chartListeners,
  chartOfAccounts,
  elementGuards,
  entityLinks,
  library,
  libraryReads,
  libraryViews,
  linkedTaxonomies,
  mappingModels,
  mappings,
  statementStructures,
  structuralChecks,
  structureParts,
  structureWrites,
  taxonomyReads,
  taxonomyRules,
} from './tokens.ts';
export {
  type BalanceType,
  balanceTypeOfTrait,
  type CashFlowDerivation,
  type EquityChange,
  libraryGraphId,
  type NoncashItem,
  type PeriodType,
  periodTypeOfTrait,
  type ReportingStyle,
} from './vocabulary/index.ts';
