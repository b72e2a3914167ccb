/** The memories of a graph: their rows, changes, recall, and the vectors that are made later. */
export { GraphMemories, maxMemories, type PreparedChanges } from './graph-memories.ts';
export { memoryErrors } from './memory-errors.ts';
export { memoryView } from './memory-view.ts';
export { PendingVectors } from './pending-vectors.ts';
export { StoredMemories } from './stored-memories.ts';
