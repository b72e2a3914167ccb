/** Removes the databases, files and backups of a deleted graph (graphs G-54). */
export { GraphDataRemoval } from './graph-data-removal.ts';
