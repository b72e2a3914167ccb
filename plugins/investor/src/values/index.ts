/** Texts, pages, quantities and amounts: exact calculations, and the functions that all modules share. */
export type { Actor } from './actor.ts';
export { amountText, decimalOfCents, decimalText } from './amount-text.ts';
export { dollarsOf, maxCents, sumOfCents } from './cents.ts';
export { groupedBy } from './grouped.ts';
export { defaultRows, listPageOf, paginationOf } from './pages.ts';
export { quantityText } from './quantities.ts';
export { asJson, lockForSource, rowsPerBatch } from './statements.ts';
export { maxLongChars, maxNameChars, maxShortChars, normalizedText, requiredText } from './texts.ts';
