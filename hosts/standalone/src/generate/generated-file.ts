import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** A file that a command writes. */
export interface GeneratedFile {
  readonly path: string;
  readonly text: string;
  /** What is wrong with the file on disk if its text differs: a predicate such as `is stale`. */
  readonly staleness: string;
}

/** Writes the files that differ from their texts and returns them; with `isCheck`, writes nothing. */
export function publishFiles(files: readonly GeneratedFile[], isCheck: boolean): readonly GeneratedFile[] {
  const stale = files.filter(({ path, text }) => !existsSync(path) || readFileSync(path, 'utf8') !== text);
  for (const { path, text, staleness } of stale) {
    if (isCheck) {
      console.error(`${path} ${staleness}. Run "npm run gen".`);
      continue;
    }
    writeFile(path, text);
    console.log(`wrote ${path}`);
  }
  return stale;
}

/** Writes a file and the folders above it. */
export function writeFile(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
