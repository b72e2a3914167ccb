import { execFile, spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

/** An OpenSearch server of one node; it ends with this process. */
export interface SearchServer {
  readonly url: string;
  stop(): Promise<void>;
}

const packageFolder = join(import.meta.dirname, '..', '..');
const source = join(packageFolder, 'test-server');
/** The server that the driver is tested with; its version is in `pom.xml`. */
const libraries = join(packageFolder, '.cache', 'opensearch-2.19.0');

/**
 * The reason to skip tests with a search server; undefined if they can run. Throws if a program is missing and
 * `PACIOLI_TEST_REQUIRE_ALL` is set.
 */
export function reasonToSkip(): string | undefined {
  const needed = existsSync(libraries) ? ['java'] : ['java', 'mvn'];
  const missing = needed.filter((program) => spawnSync(program, ['-version'], { stdio: 'ignore' }).error !== undefined);
  if (missing.length === 0) return undefined;
  const reason = `Tests with a search server need ${missing.join(' and ')}: install a JDK and Maven.`;
  if (process.env['PACIOLI_TEST_REQUIRE_ALL'] === '1') throw new Error(reason);
  return reason;
}

/** Starts a server. The first start fetches its libraries into the cache of this package. */
export async function startSearchServer(): Promise<SearchServer> {
  await fetchLibraries();
  const home = await mkdtemp(join(tmpdir(), 'pacioli-opensearch-'));
  const flags = ['-Xmx1g', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-cp', join(libraries, '*')];
  const child = spawn('java', [...flags, join(source, 'SearchServer.java'), home], { stdio: ['pipe', 'pipe', 'pipe'] });
  const log: string[] = [];
  child.stderr.on('data', (text: Buffer) => log.push(text.toString()));
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const port = await new Promise<string>((resolve, reject) => {
    child.once('error', reject);
    void ended.then(() => reject(new Error(`The search server did not start. ${log.slice(-10).join('')}`)));
    createInterface({ input: child.stdout }).on('line', (line) => {
      const found = /^port (\d+)$/.exec(line)?.[1];
      if (found !== undefined) resolve(found);
    });
  });
  return {
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      child.kill('SIGKILL');
      await ended;
      await rm(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Concurrent runs each fetch for themselves; the first one to finish gives the folder its name. */
async function fetchLibraries(): Promise<void> {
  if (existsSync(libraries)) return;
  const work = await mkdtemp(join(tmpdir(), 'pacioli-maven-'));
  try {
    await cp(join(source, 'pom.xml'), join(work, 'pom.xml'));
    const folder = join(work, 'lib');
    const flags = ['-q', '-B', 'dependency:copy-dependencies', `-DoutputDirectory=${folder}`, '-DincludeScope=runtime'];
    await promisify(execFile)('mvn', flags, { cwd: work });
    await mkdir(join(libraries, '..'), { recursive: true });
    const partial = `${libraries}.${process.pid}`;
    await cp(folder, partial, { recursive: true });
    await rename(partial, libraries).catch(() => rm(partial, { recursive: true, force: true }));
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}
