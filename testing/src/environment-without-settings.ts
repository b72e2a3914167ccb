/** The names that the service or its Node.js process reads, and those that a test run sets for itself. */
const settings = /^(PACIOLI_|DATABASE_URL$|DATA_DIR$|PORT$|HOST$|DEMO$|NODE_OPTIONS$|VITEST)/;

/**
 * An environment for a service that is started as a process: a `DATABASE_URL` in the shell of a developer must not
 * decide which database a test or a benchmark works on.
 */
export function environmentWithoutSettings(environment: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !settings.test(name)));
}
