/** Prepares a test run: builds the packages, and starts the servers that are required and not given. */
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
  const { removeAbandonedFolders } = await import('@pacioli/testing');
  await removeAbandonedFolders();
  const graphServers = await startGraphServers();
  const stopServers = await startStoreServer();
  return async () => {
    await graphServers?.stop();
    await stopServers?.();
  };
}

/** One process with graph servers for all test workers, where everything is tested. It starts servers on request. */
async function startGraphServers(): Promise<{ stop(): Promise<void> } | undefined> {
  const isWanted = process.env['PACIOLI_TEST_FULL_RUN'] === '1' || process.env['PACIOLI_TEST_GRAPH_STORE'] === 'bolt';
  if (!isWanted) return undefined;
  const { missingGraphPrograms, startGraphServerProcess } = await import('@pacioli/testing');
  const missing = missingGraphPrograms();
  if (missing.length > 0) {
    const reason = `Tests with a graph server need ${missing.join(' and ')}: install a JDK and Maven.`;
    if (process.env['PACIOLI_TEST_REQUIRE_ALL'] === '1') throw new Error(reason);
    note(`They were skipped. ${reason}`);
    return undefined;
  }
  const servers = await startGraphServerProcess();
  process.env['PACIOLI_TEST_BOLT_CONTROL'] = String(servers.controlPort);
  return servers;
}

async function startStoreServer(): Promise<(() => Promise<void>) | undefined> {
  const { startPostgresServer } = await import('@pacioli/testing');
  const isServerWanted = process.env['PACIOLI_TEST_STORES']?.includes('server') === true;
  if (!isServerWanted || process.env['PACIOLI_TEST_SERVER_URL'] !== undefined) return undefined;
  try {
    const server = await startPostgresServer({ isDurable: false });
    process.env['PACIOLI_TEST_SERVER_URL'] = server.url;
    return () => server.stop();
  } catch (error) {
    // `npm test` uses a server if one is available; `npm run test:all` requires it.
    if (process.env['PACIOLI_TEST_REQUIRE_ALL'] === '1' || process.env['PACIOLI_TEST_STORES_BY_TAG'] !== '1')
      throw error;
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
