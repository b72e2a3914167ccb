import { StartUpError } from './start-up-error.ts';

/** Loads a driver that only some deployments install. Throws the command that installs it. */
export async function optionalDriver<Driver>(
  name: string,
  purpose: string,
  load: () => Promise<Driver>,
): Promise<Driver> {
  try {
    return await load();
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
    if (!isMissing) throw error;
    throw new StartUpError(`${purpose} need the driver: npm install ${name}`);
  }
}
