/** Positions: their rules and rows, their totals, and the currencies that these convert. */
export { type ExchangeRateSource, ratesFrom } from './exchange-rates.ts';
export {
  changesHolding,
  type Disposal,
  type NewPosition,
  type PositionPatch,
  patchedPosition,
  positionOf,
  requireNamedOnce,
  requirePastDates,
} from './position-rules.ts';
export {
  type HeldColumns,
  type HeldPosition,
  type IssuerSums,
  type PositionFields,
  type PositionRow,
  StoredPositions,
} from './stored-positions.ts';
export { type CurrencySums, type Totals, totalsOf, totalsOfSums } from './totals.ts';
