/** Bundles: the rows of a graph in files that any engine can import. */
export { importBundle } from './import-bundle.ts';
export { readBundle } from './read-bundle.ts';
export { writeBundle } from './write-bundle.ts';
