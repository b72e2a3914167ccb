export { boltGraphStore } from './bolt-graph-store.ts';
export type { BoltDatabase, BoltOptions } from './options.ts';
