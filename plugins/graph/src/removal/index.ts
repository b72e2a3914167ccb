/** What becomes of the databases, files and backups of a graph that is deleted (graphs G-54). */
export { GraphDataRemoval } from './graph-data-removal.ts';
