/** Archives whose bytes depend on their content alone. */
export { withFixedTimes, zipOf } from './zip.ts';
