export { accruedInterestCents } from './accrued-interest.ts';
export { contributions, instrumentTerms, providers } from './contributions.ts';
export { type ConversionRound, conversionShares } from './conversion-shares.ts';
export type { TermsIssue } from './cross-key-checks.ts';
export { type Instrument, type InstrumentSpec, instruments, registerInstrument } from './instrument.ts';
export { type InstrumentTerms, type TermsMode, termsModes } from './instrument-terms.ts';
export { vestedQuantity } from './vested-quantity.ts';
