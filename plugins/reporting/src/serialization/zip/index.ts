/** Archives whose bytes depend on their content alone. */
export { type ArchiveFile, type WrittenFile, withFixedTimes, zipOf } from './zip.ts';
