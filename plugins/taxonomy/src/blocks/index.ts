/** Taxonomy blocks: create, read, update and delete. */
export { closedMonthsOf, historyMessage } from './block-refusals.ts';
export type { BlockWork } from './block-work.ts';
export type {
  BlockAtoms,
  BlockDependant,
  ChartListener,
  ElementGuard,
  MonthSpan,
  ProtectedSets,
} from './dependants.ts';
export { elementTree, maxTreeNodes } from './element-tree.ts';
export { findExtensionConcept } from './extension-concepts.ts';
export {
  type LinkedTaxonomies,
  type SharedTaxonomies,
  storedLinkedTaxonomies,
  type TaxonomyLink,
} from './linked-taxonomies.ts';
export {
  evaluateTaxonomy,
  listRulesOfTargets,
  type StructuralChecks,
  type TaxonomyRule,
  type TaxonomyRules,
} from './rule-reads.ts';
export type { StructuralResult } from './structural-checks.ts';
export { type StructureParts, storedStructureParts } from './structure-parts.ts';
export {
  type NewStructure,
  type NewStructureArc,
  StoredStructureWrites,
  type StructureAuthor,
  type StructurePatch,
  type StructureWrites,
} from './structure-writes.ts';
export { createTaxonomyBlocks, type TaxonomyBlocks } from './taxonomy-blocks.ts';
export { findTenantElement, storedTaxonomyReads, type TaxonomyReads } from './taxonomy-reads.ts';
export { deleteRules, findRulesOfArcs } from './write-rules.ts';
