/** What stands ready before the first test of a run: built packages, and a PostgreSQL server where one is asked for. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { build } from './build.mjs';

/** Runs in the process that starts the test workers, which inherit its environment. */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  // Tests that start whole processes run what is built: to translate the sources again takes each of them seconds.
  await build(fileURLToPath(new URL('..', import.meta.url)), 'development', { run, say: console.log });
  if (process.env['PACIOLI_TEST_STORES']?.includes('server') !== true) return undefined;
  // Not before the packages are built.
  const { startPostgresServer } = await import('@pacioli/testing');
  const server = await startPostgresServer({ isDurable: false });
  process.env['PACIOLI_TEST_SERVER_URL'] = server.url;
  return () => server.stop();
}

async function run(program: string, args: readonly string[]): Promise<number> {
  const child = spawn(program, args, { stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  return typeof code === 'number' ? code : 1;
}
