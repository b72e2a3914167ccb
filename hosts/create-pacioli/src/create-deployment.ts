import { basename, resolve } from 'node:path';
import { CreationError, createFolder } from 'create-pacioli-plugin';
import { deploymentFiles } from './deployment-files.ts';

/**
 * Creates a deployment in a new or empty folder, and returns its absolute path. Throws a CreationError, and leaves
 * nothing behind, if the folder cannot be used.
 */
export async function createDeployment(folder: string): Promise<string> {
  const name = basename(resolve(folder));
  if (!/^[a-z][a-z0-9._-]{0,99}$/.test(name)) {
    const advice = 'Use lower-case letters, digits, dots and dashes, beginning with a letter: my-books.';
    throw new CreationError(`"${name}" cannot be the name of a deployment. ${advice}`);
  }
  return createFolder(folder, deploymentFiles(name));
}
