/** Checks of taxonomy blocks before they are written. */
export { type Candidate, isMappable, mappingCandidates } from './candidates.ts';
export { type ExtensionConcept, targetProblem } from './check-arcs.ts';
export { checkBlock } from './check-block.ts';
export { repeatedPatches, unusableNamesOfBlock, unusableNamesOfUpdate } from './check-names.ts';
export { depthsOf, storedBalance, storedPeriod } from './element-values.ts';
