/** Taxonomy blocks: create, read, update and delete. */
export { closedMonthsOf, historyMessage } from './block-refusals.ts';
export { elementTree, maxTreeNodes } from './element-tree.ts';
export { findExtensionConcept, listExtensionConcepts, listExtensionTotals } from './extension-concepts.ts';
export { countElements, findTenantElement, listElements, listStructures, listTaxonomies } from './reads.ts';
export { evaluateTaxonomy, listRulesOfTargets } from './rule-reads.ts';
export type { StructuralResult } from './structural-checks.ts';
export {
  findElementIdsByQname,
  findElementParts,
  findStructureParts,
  listConnectionParts,
  listStructureParts,
} from './structure-parts.ts';
export { StoredStructureWrites } from './structure-writes.ts';
export { createTaxonomyBlocks } from './taxonomy-blocks.ts';
export { deleteRules, findRulesOfArcs } from './write-rules.ts';
