/** Metrics of metric blocks: computed from facts, or asserted. */
export { MetricAsserter } from './metric-asserter.ts';
export { MetricComputer } from './metric-computer.ts';
