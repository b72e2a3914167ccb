/** The variables that the service or its Node.js process reads, and those that a test run sets. */
const settings = /^(PACIOLI_|DATABASE_URL$|DATA_DIR$|PORT$|HOST$|DEMO$|NODE_OPTIONS$|VITEST)/;

/**
 * Returns an environment for starting the service as a process: a `DATABASE_URL` in a developer's shell must not
 * determine the database of a test or a benchmark.
 */
export function environmentWithoutSettings(environment: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !settings.test(name)));
}
