/**
 * Selects the store of each test file: a PostgreSQL server for the tag `sessions`, because only there do callers wait
 * for each other, both stores for the suite that every driver passes (`drivers`), and the embedded store for the others.
 * The full run also takes the server for the suites of plugins, where a statement takes a third of the processor time;
 * `npm test` runs them on the embedded store (docs/decisions/0094-plugin-suites-on-a-server.md).
 */
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { expect } from 'vitest';
import { storesFor, tagsIn } from './test-files.ts';

// Evaluated for each test file, before the file is imported.
if (process.env['PACIOLI_TEST_STORES_BY_TAG'] === '1') {
  const { testPath } = expect.getState();
  if (testPath === undefined) throw new Error('The path of the test file is unknown, and so are its tags.');
  const path = relative(`${import.meta.dirname}/..`, testPath);
  const isFullRun = process.env['PACIOLI_TEST_FULL_RUN'] === '1';
  const tags = tagsIn(readFileSync(testPath, 'utf8'));
  process.env['PACIOLI_TEST_STORES'] = storesFor({ path, tags }, isFullRun);
}
