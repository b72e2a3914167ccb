/** Archives whose bytes depend on their content alone. */
export { type ArchiveFile, withFixedTimes, zipOf } from './zip.ts';
