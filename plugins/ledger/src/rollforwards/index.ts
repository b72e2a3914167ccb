/** Roll-forwards: how a balance changed between two days. */
export { ElementUse } from './element-use.ts';
export type { Rollforward, RollforwardFact } from './rollforward.ts';
export { rollforwardBlockType, rollforwardProviders } from './rollforward-block-type.ts';
