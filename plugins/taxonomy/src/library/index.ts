/** The shipped frameworks: their files, catalog, statements and rules. */
export { autoRuleKey, autoRules } from './auto-rules.ts';
export type { CashFlowSources } from './cash-flow-sources.ts';
export { exclusionProblems } from './exclusions.ts';
export { type FrameworkFiles, gaapPrefix, parseFrameworks } from './framework.ts';
export { readFrameworkFiles } from './framework-files.ts';
export {
  arcroleOf,
  type LibraryAssociationRow,
  type LibraryElementRow,
  type LibraryRows,
  type LibraryStructureRow,
  libraryAssociationId,
  libraryRows,
  namespaceOf,
  type RetiredConceptRow,
} from './library.ts';
export { type LibraryCatalog, lazyLibraryCatalog } from './library-catalog.ts';
export {
  type CalculationArc,
  type ChangedCalculation,
  conceptsAffected,
  type LibraryChanges,
  type LibraryContent,
  libraryChanges,
} from './library-changes.ts';
export { libraryId } from './library-ids.ts';
export { type LibraryPin, readPin } from './library-pin.ts';
export { type LibraryReads, storedLibraryReads } from './library-reads.ts';
export { gaapTaxonomyId, type LibraryTaxonomyRow } from './library-taxonomies.ts';
export { findLibraryView, type LibraryView } from './library-view.ts';
export { findCarriedRetirements, moveRetiredMappings, replaceableColumns } from './retired-concepts.ts';
export { carriedRetirements, type ReplaceableConcept } from './retirement.ts';
export { createSearch } from './search.ts';
export type { StatementContribution, StatementRow, StatementStructure } from './statement-structure.ts';
export { defaultStyleCode, type StatementLeaf, type Statements, type StyleStatements } from './statements.ts';
