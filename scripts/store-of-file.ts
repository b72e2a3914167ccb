/**
 * Chooses the store of each test file in `npm test`: a PostgreSQL server for the files with the tag `sessions`, because
 * callers wait for one another only there, both for the suite that every driver passes (`drivers`), and the embedded store
 * for the others. `npm run test:all` runs those with a tag on both stores.
 */
import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { tagsIn } from './test-files.ts';

function storesFor(tags: readonly string[]): string {
  if (tags.includes('drivers')) return 'embedded,server';
  return tags.includes('sessions') ? 'server' : 'embedded';
}

// Evaluated anew for each test file, before the file is imported.
if (process.env['PACIOLI_TEST_STORES_BY_TAG'] === '1') {
  const { testPath } = expect.getState();
  if (testPath === undefined) throw new Error('The path of the test file is unknown, and so are its tags.');
  process.env['PACIOLI_TEST_STORES'] = storesFor(tagsIn(readFileSync(testPath, 'utf8')));
}
