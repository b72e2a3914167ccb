export { Portfolio } from './analytical/Portfolio.ts';
export { Position } from './analytical/Position.ts';
export { Security } from './analytical/Security.ts';
export { default as portfolioCreated } from './events/portfolio-created.ts';
export { default as portfolioDeleted } from './events/portfolio-deleted.ts';
export { default as portfolioUpdated } from './events/portfolio-updated.ts';
export { default as positionsChanged } from './events/positions-changed.ts';
export { default as positionsDisposed } from './events/positions-disposed.ts';
export { default as positionsOpened } from './events/positions-opened.ts';
export { default as securityCreated } from './events/security-created.ts';
export { default as securityDeactivated } from './events/security-deactivated.ts';
export { default as securityUpdated } from './events/security-updated.ts';
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
