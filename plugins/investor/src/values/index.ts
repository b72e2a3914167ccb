/** Texts, pages, quantities, amounts and exact fractions, which all modules share. */
export type { Actor } from './actor.ts';
export { amountText, decimalText } from './amount-text.ts';
export { decimalOfCents, dollarsOf, maxCents, sumOfCents } from './cents.ts';
export { defaultRows, listPageOf, paginationOf } from './pages.ts';
export { quantityText } from './quantities.ts';
export {
  dividedBy,
  floor,
  fromDecimal,
  plus,
  type Rational,
  rational,
  roundHalfEven,
  times,
} from './rational.ts';
export { asJson, lockForSource, rowsPerBatch } from './statements.ts';
export { maxLongChars, maxNameChars, maxShortChars, normalizedText, requiredText } from './texts.ts';
