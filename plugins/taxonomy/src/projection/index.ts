export {
  canonicalConcepts,
  elementTraits,
  projectedArcs,
  projectedStructureIds,
  projectedTaxonomyIds,
  rowsPerBatch,
} from './projected-rows.ts';
