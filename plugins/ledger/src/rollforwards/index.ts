/** Roll-forwards: how a balance changed between two days. */
export { elementGuard } from './element-use.ts';
export type { Rollforward, RollforwardFact, RollforwardReads } from './rollforward.ts';
export { rollforwardBlockType } from './rollforward-block-type.ts';
export { Rollforwards } from './rollforwards.ts';
