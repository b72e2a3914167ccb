import { readFileSync } from 'node:fs';
import type { Frameworks } from '../vocabulary/index.ts';
import { type FrameworkFiles, frameworkFileNames, parseFrameworks } from './framework.ts';

/** Reads the shipped frameworks from the package's data folder; throws when a file is missing or unreadable. */
export function readShippedFrameworks(): Frameworks {
  return parseFrameworks(readFrameworkFiles());
}

/** The texts of the shipped files, by name. */
export function readFrameworkFiles(): FrameworkFiles {
  const folder = new URL('../../data/', import.meta.url);
  const texts = frameworkFileNames.map((name) => [name, readFileSync(new URL(name, folder), 'utf8')] as const);
  // The entries are exactly the names of the list, which is what the record type says.
  return Object.fromEntries(texts) as FrameworkFiles;
}
