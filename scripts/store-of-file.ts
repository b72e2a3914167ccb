/**
 * Selects the store of each test file in `npm test`: a PostgreSQL server for the tag `sessions`, because only there do
 * callers wait for each other, both stores for the suite that every driver passes (`drivers`), and the embedded store
 * for the others. `npm run test:all` chooses alike, in rounds of its own.
 */
import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { tagsIn } from './test-files.ts';

function storesFor(tags: readonly string[]): string {
  if (tags.includes('drivers')) return 'embedded,server';
  return tags.includes('sessions') ? 'server' : 'embedded';
}

// Evaluated for each test file, before the file is imported.
if (process.env['PACIOLI_TEST_STORES_BY_TAG'] === '1') {
  const { testPath } = expect.getState();
  if (testPath === undefined) throw new Error('The path of the test file is unknown, and so are its tags.');
  process.env['PACIOLI_TEST_STORES'] = storesFor(tagsIn(readFileSync(testPath, 'utf8')));
}
