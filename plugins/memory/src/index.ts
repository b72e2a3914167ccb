export { default } from './plugin.ts';
export { type Memories, memories, type NewMemory, type RecalledMemory, type StoredMemory } from './tokens.ts';
