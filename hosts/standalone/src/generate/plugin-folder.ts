import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { StartUpError } from '../start-up-error.ts';

/** Throws if the folder has no plugin. */
export function requirePlugin(folder: string): void {
  if (existsSync(join(folder, 'src', 'plugin.ts'))) return;
  throw new StartUpError(`There is no src/plugin.ts in ${folder}. Run the command in the folder of a plugin.`);
}
