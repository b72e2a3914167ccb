import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startGraphServers, type TestDatabase } from '@pacioli/testing';

/** The `pacioli serve` command, running with an empty data folder. */
export interface Standalone {
  readonly url: string;
  close(): Promise<void>;
}

const maxStartMs = 240_000;
const maxOutputCharacters = 20_000;
const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Starts the host as a user would, on a free port, with the graph engine of PACIOLI_TEST_GRAPH_STORE, some settings, and
 * the embedded store or a database.
 */
export async function startStandalone(
  settings: Readonly<Record<string, string>> = {},
  database?: TestDatabase,
): Promise<Standalone> {
  const folder = mkdtempSync(join(tmpdir(), 'pacioli-conformance-'));
  const { PATH, HOME } = process.env;
  const graphServers = process.env['PACIOLI_TEST_GRAPH_STORE'] === 'bolt' ? await startGraphServers(8) : undefined;
  const graphDatabases = graphServers?.databases.map(({ url }) => url).join(',');
  const child = spawn(process.execPath, ['hosts/standalone/dist/main.js', 'serve'], {
    cwd: root,
    env: {
      PATH,
      HOME,
      HOST: '127.0.0.1',
      PORT: '0',
      DATA_DIR: folder,
      DEMO: 'off',
      PACIOLI_RATE_LIMITS_PROFILE: 'test',
      ...(database === undefined
        ? {}
        : { DATABASE_URL: database.url, PACIOLI_JWT_SECRET: 'a secret that only tests know: 0123456789' }),
      ...settings,
      // Each server holds one graph, so none is built that no test asks for.
      ...(graphDatabases === undefined
        ? {}
        : { PACIOLI_GRAPH_DATABASES: graphDatabases, PACIOLI_GRAPHS_AUTO_REFRESH: 'false' }),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const close = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
    await graphServers?.stop();
    await database?.drop();
    rmSync(folder, { recursive: true, force: true });
  };
  let output = '';
  try {
    const url = await new Promise<string>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`The host did not start:\n${output}`)), maxStartMs);
      const read = (chunk: Buffer): void => {
        output = `${output}${chunk}`.slice(-maxOutputCharacters);
        const found = /listens on (http:\/\/\S+)/.exec(output)?.[1];
        if (found === undefined) return;
        clearTimeout(timer);
        resolve(found);
      };
      child.stdout.on('data', read);
      child.stderr.on('data', read);
      child.once('exit', (code) => {
        clearTimeout(timer);
        reject(new Error(`The host ended with ${code} before it listened:\n${output}`));
      });
    });
    return { url, close };
  } catch (error) {
    await close();
    throw error;
  }
}
