import { pathToFileURL } from 'node:url';
import { StartUpError } from '../start-up-error.ts';

/** Imports a source file of a plugin. An import of a file that does not exist is the author's to correct. */
export async function importSource<T>(path: string): Promise<T> {
  try {
    return (await import(pathToFileURL(path).href)) as T;
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
    throw isMissing ? new StartUpError(`${error.message}. Correct the import, then run the command again.`) : error;
  }
}
