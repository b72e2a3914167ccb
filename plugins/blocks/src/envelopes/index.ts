/** Information blocks as readers see them, by block type. */
export { createBlockDependant } from './block-dependant.ts';
export { BlockDispatch, bareStructure, dispatchServices } from './block-dispatch.ts';
export { BlockReader } from './block-reader.ts';
export { blockTypeContributions } from './block-types.ts';
export type { Envelope } from './envelope.ts';
