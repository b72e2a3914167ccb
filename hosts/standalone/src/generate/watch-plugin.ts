import { once } from 'node:events';
import { untilAskedToStop } from '../until-asked-to-stop.ts';
import { runPacioli } from './run-again.ts';
import { watchSources } from './watch-sources.ts';

/** Generates the files of the plugin in this folder again after each change, one run at a time, until asked to stop. */
export async function watchPlugin(folder: string): Promise<void> {
  let running: Promise<void> | undefined;
  let isChanged = false;
  const run = async (): Promise<void> => {
    do {
      isChanged = false;
      // An error is printed by the run; the next change may correct it.
      await once(runPacioli(['gen']), 'exit');
    } while (isChanged);
  };
  const generate = (): void => {
    isChanged = true;
    running ??= run().finally(() => {
      running = undefined;
    });
  };
  const watcher = watchSources(folder, generate);
  generate();
  console.log('Watching src. Stop it with Ctrl+C.');
  await untilAskedToStop();
  watcher.close();
  await running;
}
