export { default } from './plugin.ts';
export type { ExchangeRateSource } from './positions/index.ts';
export {
  accruedInterestCents,
  type ConversionRound,
  conversionShares,
  type Instrument,
  type InstrumentSpec,
  instruments,
  registerInstrument,
  vestedQuantity,
} from './terms/index.ts';
export { exchangeRates } from './tokens.ts';
