import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { storesFor, tagsIn, testFiles } from './test-files.ts';

describe('tagsIn', () => {
  it('reads the tags of a comment of one line and of several', () => {
    expect(tagsIn('/** @module-tag sessions */\nimport x;')).toEqual(['sessions']);
    expect(tagsIn('/**\n * Kills processes.\n * @module-tag full-run\n * @module-tag sessions\n */')).toEqual([
      'full-run',
      'sessions',
    ]);
    expect(tagsIn('it("names @module-tag sessions", () => {});')).toEqual([]);
  });
});

describe('testFiles', () => {
  it('finds this file, but no build output or installed packages', () => {
    const files = testFiles(fileURLToPath(new URL('..', import.meta.url)));
    const paths = files.map(({ path }) => path);
    expect(paths).toContain('scripts/test-files.test.ts');
    expect(paths.filter((path) => /(?:node_modules|dist)\//.test(path))).toEqual([]);
  });

  it('finds only declared tags', () => {
    const files = testFiles(fileURLToPath(new URL('..', import.meta.url)));
    expect(new Set(files.flatMap(({ tags }) => tags))).toEqual(new Set(['full-run', 'sessions', 'engines', 'drivers']));
  });

  it('requires the tag sessions on every file that checks for a server', () => {
    const root = fileURLToPath(new URL('..', import.meta.url));
    const asking = testFiles(root).filter(({ path }) =>
      /\bisOnServer\(|\['PACIOLI_TEST_STORES'\]/.test(readFileSync(join(root, path), 'utf8')),
    );
    expect(asking.length).toBeGreaterThan(0);
    expect(asking.filter(({ tags }) => !tags.includes('sessions')).map(({ path }) => path)).toEqual([]);
  });
});

describe('storesFor', () => {
  const plugin = 'plugins/ledger/test/post-entry.test.ts';

  it('takes a server for the tag sessions, and both stores for the suite of the drivers', () => {
    for (const isFullRun of [false, true]) {
      expect(storesFor({ path: 'core/test/races.test.ts', tags: ['sessions'] }, isFullRun)).toBe('server');
      expect(storesFor({ path: 'hosts/store.test.ts', tags: ['sessions', 'drivers'] }, isFullRun)).toBe(
        'embedded,server',
      );
      expect(storesFor({ path: 'hosts/standalone/test/serve.test.ts', tags: ['full-run'] }, isFullRun)).toBe(
        'embedded',
      );
    }
  });

  it('takes a server for the suites of plugins in the full run only', () => {
    expect(storesFor({ path: plugin, tags: [] }, false)).toBe('embedded');
    expect(storesFor({ path: plugin, tags: ['engines'] }, true)).toBe('server');
  });
});
