import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findConfigFile } from '../config-file.ts';
import { StartUpError } from '../start-up-error.ts';
import { untilAskedToStop } from '../until-asked-to-stop.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { runPacioli } from './run-pacioli.ts';
import { watchSources } from './watch-sources.ts';

/** Time that a server gets to stop before it is killed: nobody but its author uses it. */
const maxStopMs = 5_000;

/** Serves the deployment of a folder, and again after each change, until asked to stop (platform H-7). */
export async function runDevelopmentHost(folder: string): Promise<void> {
  if (findConfigFile(folder, process.env['PACIOLI_CONFIG']) === undefined) {
    throw new StartUpError(`There is no pacioli.config.ts in ${folder}, which lists the plugins to serve.`);
  }
  const hasPlugin = existsSync(join(folder, 'src', 'plugin.ts'));
  let server: ChildProcess | undefined;
  const restart = oneAtATime(async () => {
    await stop(server);
    server = undefined;
    if (hasPlugin && !(await isGenerated())) {
      console.error('The files of the plugin could not be generated. Waiting for a change …');
      return;
    }
    server = serve();
  });
  const close = watchSources(folder, restart.run);
  restart.run();
  await untilAskedToStop();
  await close();
  await restart.idle();
  await stop(server);
}

async function isGenerated(): Promise<boolean> {
  const [code] = await once(runPacioli(['gen'], { separate: true }), 'exit');
  return code === 0;
}

function serve(): ChildProcess {
  const server = runPacioli(['serve'], { separate: true });
  // A server that is asked to stop exits with 0.
  server.once('exit', (code) => {
    if (code !== 0 && code !== null) console.error('The server stopped. Waiting for a change …');
  });
  return server;
}

async function stop(server: ChildProcess | undefined): Promise<void> {
  if (server === undefined || server.exitCode !== null || server.signalCode !== null) return;
  const exited = once(server, 'exit');
  const killing = setTimeout(() => server.kill('SIGKILL'), maxStopMs);
  server.kill('SIGTERM');
  await exited;
  clearTimeout(killing);
}
