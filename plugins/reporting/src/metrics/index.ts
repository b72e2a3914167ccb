/** Metrics of metric blocks: computed from statements, or observed. */
export { MetricAsserter } from './metric-asserter.ts';
export { MetricComputer } from './metric-computer.ts';
export { unitOf } from './metric-numbers.ts';
