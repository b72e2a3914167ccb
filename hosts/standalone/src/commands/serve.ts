import { setFlagsFromString } from 'node:v8';
import { EmbeddedEngine } from '@pacioli/store-postgres/engine';
import { Command } from 'commander';
import { readSettings } from '../settings.ts';
import { untilAskedToStop } from '../until-asked-to-stop.ts';

/**
 * V8 optimizes a function of the embedded engine after it has run so many bytes of its code; Node 20 has 1,800,000 unless
 * set. At that value optimizing takes 800 ms of processor time from the start itself. A database at work reaches this
 * value within moments too (decision 0013).
 */
const optimizingBudgetBytes = 20_000_000;

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
      // Starts first, so that the engine compiles while the rest loads.
      const engine = settings.databaseUrl === undefined ? startEngine() : undefined;
      const [{ createLog }, { startServer }] = await Promise.all([import('../log.ts'), import('../serve.ts')]);
      const log = createLog(settings.switches.logLevel);
      const server = await startServer(settings, log, { hasWorker: options.worker, engine });
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

function startEngine(): EmbeddedEngine {
  setFlagsFromString(`--wasm-tiering-budget=${optimizingBudgetBytes}`);
  const engine = new EmbeddedEngine();
  engine.start();
  return engine;
}
