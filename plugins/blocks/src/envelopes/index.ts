/** Information blocks as readers see them, by block type. */

export { createBlockDependant } from './block-dependant.ts';
export { BlockDispatch } from './block-dispatch.ts';
export { BlockReader } from './block-reader.ts';
export { blockTypeContributions } from './block-types.ts';
export { bareStructure } from './missing-block-parts.ts';
