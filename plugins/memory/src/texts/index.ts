/** The texts of a memory: their limits, the guard against secrets, the key of repeated texts, and near duplicates. */

export { requireQuery, storedTexts, unitedTags } from './memory-texts.ts';
export { NearDuplicateFilter } from './near-duplicates.ts';
export { textKeyOf } from './text-key.ts';
