/**
 * Chooses the store of each test file in `npm test`: a PostgreSQL server for the files with the tag `sessions`, because
 * callers wait for one another only there, and the embedded store for the others. `npm run test:all` runs those with the
 * tag on both stores.
 */
import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { tagsIn } from './test-files.ts';

// Evaluated anew for each test file, before the file is imported.
if (process.env['PACIOLI_TEST_STORES_BY_TAG'] === '1') {
  const { testPath } = expect.getState();
  const tags = testPath === undefined ? [] : tagsIn(readFileSync(testPath, 'utf8'));
  process.env['PACIOLI_TEST_STORES'] = tags.includes('sessions') ? 'server' : 'embedded';
}
