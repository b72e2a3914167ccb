/** Fact sets, their facts, and the choice of those that a reader sees. */
export { BoundFacts } from './bound-facts.ts';
export { columnsOfSet, factIn, isAdmitted, seriesColumns } from './columns.ts';
export { countDeleted } from './count-deleted.ts';
export { readFactBatches } from './fact-batches.ts';
export { readMembers } from './fact-members.ts';
export { deleteSets, insertSets, newestFirst, readSets, upsertDisclosureSet } from './fact-sets.ts';
export {
  countFacts,
  deleteFacts,
  insertFacts,
  readFacts,
  readFactsOfSets,
  readTextFacts,
  refuseTooMany,
} from './facts.ts';
export { finalizeSets } from './final-sets.ts';
export { replaceMetricSet } from './metric-sets.ts';
export { countScenarioSets, removeScenario, replaceMonthSets } from './month-sets.ts';
export { findNewestEndBefore, readNewestNumbers } from './newest-numbers.ts';
export { pinnedChoice, type SetChoice, setWish, shownChoice } from './set-choice.ts';
export { readShownSets } from './shown-sets.ts';
