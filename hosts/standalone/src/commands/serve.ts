import { setFlagsFromString } from 'node:v8';
import { EmbeddedEngine } from '@pacioli/store-postgres/engine';
import { Command } from 'commander';
import { readSettings } from '../settings.ts';
import { untilAskedToStop } from '../until-asked-to-stop.ts';

/**
 * Bytes of WebAssembly that V8 runs before it optimizes a function of the embedded engine; the default of Node 20 is
 * 1,800,000, with which optimizing adds 800 ms of CPU time to the start. A busy database reaches this higher value
 * soon as well (decision 0013).
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
      // Starts first so that the engine compiles while the other modules load.
      const engine = settings.databaseUrl === undefined ? startEngine() : undefined;
      const [{ createLog }, { startServer }] = await Promise.all([import('../log.ts'), import('../serve.ts')]);
      const log = createLog(settings.switches.logLevel);
      const server = await startServer(settings, log, { hasWorker: options.worker, engine });
      console.log(`Pacioli listens on ${server.url} (data in ${settings.dataDir}). Stop it with Ctrl+C.`);
      const stopped = untilAskedToStop();
      // Imported only now, because that file loads the kernel and the engine must start first.
      const { welcome } = await import('../welcome.ts');
      const welcomed = welcome(server, settings, log);
      await stopped;
      console.log('Stopping …');
      await welcomed.catch(() => undefined); // Already reported by `welcome`.
      await server.close();
    });
}

function startEngine(): EmbeddedEngine {
  setFlagsFromString(`--wasm-tiering-budget=${optimizingBudgetBytes}`);
  const engine = new EmbeddedEngine();
  engine.start();
  return engine;
}
