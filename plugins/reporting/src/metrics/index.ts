/** Metrics of metric blocks: computed from facts, or asserted. */
export { MetricAsserter } from './metric-asserter.ts';
export { MetricComputer } from './metric-computer.ts';
export { type Decimal, decimalsOf, storedNumber, unitOf } from './metric-numbers.ts';
export { entityOf } from './metric-structure.ts';
