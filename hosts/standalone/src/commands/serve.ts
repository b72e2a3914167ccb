import { Command } from 'commander';
import { createLog } from '../log.ts';
import { startServer } from '../serve.ts';
import { readSettings } from '../settings.ts';
import { untilAskedToStop } from '../until-asked-to-stop.ts';

export function serveCommand(): Command {
  return new Command('serve')
    .description('Starts the API and, unless it runs elsewhere, the worker.')
    .option('--no-worker', 'leave queued work to "pacioli work" processes')
    .addHelpText(
      'after',
      '\nEnvironment:\n  HOST, PORT      where to listen (127.0.0.1:8000)\n  DATA_DIR        data folder (./.pacioli)\n  DATABASE_URL    a PostgreSQL server instead of the embedded store\n  DEMO=off        no demo company on an empty data folder',
    )
    .action(async (options: { readonly worker: boolean }) => {
      const settings = readSettings(process.env);
      const log = createLog(settings.switches.logLevel);
      const server = await startServer(settings, log, { hasWorker: options.worker });
      console.log(`Pacioli listens on ${server.url} (data in ${settings.dataDir}). Stop it with Ctrl+C.`);
      const stopped = untilAskedToStop();
      // The store begins to open before the plugins are loaded, and that file loads the kernel.
      const { welcome } = await import('../welcome.ts');
      const welcomed = welcome(server, settings, log);
      await stopped;
      console.log('Stopping …');
      await welcomed.catch(() => undefined); // Its failure was reported where it happened.
      await server.close();
    });
}
