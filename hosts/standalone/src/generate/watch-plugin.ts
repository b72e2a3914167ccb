import { once } from 'node:events';
import { oneAtATime } from '../develop/one-at-a-time.ts';
import { runPacioli } from '../develop/run-pacioli.ts';
import { watchSources } from '../develop/watch-sources.ts';
import { untilAskedToStop } from '../until-asked-to-stop.ts';

/** Generates the files of the plugin in this folder again after each change, until asked to stop. */
export async function watchPlugin(folder: string): Promise<void> {
  // An error is printed by the run; the next change may correct it.
  const generation = oneAtATime(async () => {
    await once(runPacioli(['gen']), 'exit');
  });
  const close = watchSources(folder, generation.run);
  generation.run();
  console.log('Watching src. Stop it with Ctrl+C.');
  await untilAskedToStop();
  await close();
  await generation.idle();
}
