/** Prepares a test run: builds the packages, and starts a PostgreSQL server if one is required and none is given. */
import { appendFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from './build.mjs';
import { runProgram } from './run-program.ts';

/** Runs in the process that starts the test workers, which inherit its environment. */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  // Tests that start processes run the build output, because transpiling the sources takes seconds for each process.
  if (process.env['PACIOLI_TEST_IS_BUILT'] === undefined)
    await build(fileURLToPath(new URL('..', import.meta.url)), 'development', { run: runProgram, say: console.log });
  // Requires the built packages.
  const { removeAbandonedFolders, startPostgresServer } = await import('@pacioli/testing');
  await removeAbandonedFolders();
  const isServerWanted = process.env['PACIOLI_TEST_STORES']?.includes('server') === true;
  if (!isServerWanted || process.env['PACIOLI_TEST_SERVER_URL'] !== undefined) return undefined;
  try {
    const server = await startPostgresServer({ isDurable: false });
    process.env['PACIOLI_TEST_SERVER_URL'] = server.url;
    return () => server.stop();
  } catch (error) {
    // `npm test` uses a server if one is available; `npm run test:all` requires it.
    if (process.env['PACIOLI_TEST_STORES_BY_TAG'] !== '1') throw error;
    note(`Every file ran on the embedded store, because no PostgreSQL server starts here: ${reasonOf(error)}`);
    process.env['PACIOLI_TEST_STORES_BY_TAG'] = '0';
    process.env['PACIOLI_TEST_STORES'] = 'embedded';
    return undefined;
  }
}

/** Prints a note now, and again in the summary of the run. */
function note(text: string): void {
  console.log(text);
  const file = process.env['PACIOLI_TEST_NOTES'];
  if (file !== undefined) appendFileSync(file, `${text}\n`);
}

function reasonOf(error: unknown): string {
  // On one line, for the summary.
  return (error instanceof Error ? error.message : String(error)).trim().replaceAll(/\s+/g, ' ');
}
