/** The test files of the repository and their tags, which `vitest.config.ts` declares. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

export interface TestFile {
  /** Relative to the root of the repository. */
  readonly path: string;
  readonly tags: readonly string[];
}

/** The folders that have tests. */
export const testFolders = ['benchmarks', 'core', 'plugins', 'hosts', 'conformance', 'docs', 'scripts'];
const skipped = new Set(['node_modules', 'dist', '.cache']);

/** Lists all test files, sorted by path. */
export function testFiles(root: string): readonly TestFile[] {
  return testFolders
    .flatMap((folder) => pathsBelow(join(root, folder)))
    .sort()
    .map((path) => ({ path: relative(root, path), tags: tagsIn(readFileSync(path, 'utf8')) }));
}

/** Lists the tags after each `@module-tag` of a file. */
export function tagsIn(text: string): readonly string[] {
  return [...text.matchAll(/^\s*(?:\/\*\*|\*)\s*@module-tag\s+([a-z-]+)/gm)].map(([, tag = '']) => tag);
}

/** The value of `PACIOLI_TEST_STORES` for a file. */
export function storesFor({ path, tags }: TestFile, isFullRun: boolean): string {
  if (tags.includes('drivers')) return 'embedded,server';
  return tags.includes('sessions') || (isFullRun && path.startsWith('plugins/')) ? 'server' : 'embedded';
}

function pathsBelow(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (skipped.has(entry.name)) return [];
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return pathsBelow(path);
    return entry.name.endsWith('.test.ts') ? [path] : [];
  });
}
