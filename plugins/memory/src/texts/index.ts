/** The texts of a memory: their limits, the guard against secrets, and the key of repeated texts. */

export { Folding } from './folding.ts';
export { requireQuery, storedTexts, unitedTags } from './memory-texts.ts';
export { textKeyOf } from './text-key.ts';
