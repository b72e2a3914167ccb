import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { StartUpError } from './start-up-error.ts';

const names = ['pacioli.config.ts', 'pacioli.config.mjs', 'pacioli.config.js'];

/** The file of the deployment: the given one, or the one in the folder; undefined if there is none (platform H-9). */
export function findConfigFile(folder: string, given = ''): string | undefined {
  if (given === '') return names.map((name) => join(folder, name)).find((path) => existsSync(path));
  const path = resolve(folder, given);
  if (existsSync(path)) return path;
  throw new StartUpError(`PACIOLI_CONFIG names ${path}, which does not exist.`);
}
