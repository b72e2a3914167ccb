export { ladybugGraphStore } from './ladybug-graph-store.ts';
export type { LadybugOptions } from './options.ts';
