import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

/** A process that starts graph servers on request; it ends with this one. */
export interface ServerProcess {
  readonly controlPort: number;
  readonly process: ChildProcess;
  stop(): Promise<void>;
}

const packageFolder = join(import.meta.dirname, '..', '..');
const source = join(packageFolder, 'test-server');
/** The server that the driver is tested with; its version is in `pom.xml`. */
const libraries = join(packageFolder, '.cache', 'neo4j-5.26.0');

const javaWords = [
  ...['-Xmx1g', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'],
  ...['java.nio', 'java.io', 'sun.nio.ch', 'java.lang'].map((name) => `--add-opens=java.base/${name}=ALL-UNNAMED`),
];

/** The programs that a graph server needs and that are missing here. */
export function missingPrograms(): readonly string[] {
  const needed = existsSync(libraries) ? ['java'] : ['java', 'mvn'];
  return needed.filter((program) => spawnSync(program, ['-version'], { stdio: 'ignore' }).error !== undefined);
}

/** Starts the process, and fetches the server into the cache of this package if it is not there. */
export async function startServerProcess(): Promise<ServerProcess> {
  await fetchLibraries();
  const home = await mkdtemp(join(tmpdir(), 'pacioli-bolt-'));
  const words = [...javaWords, '-cp', join(libraries, '*'), join(source, 'BoltServers.java'), home];
  const child = spawn('java', words, { stdio: ['pipe', 'pipe', 'pipe'] });
  const log: string[] = [];
  child.stderr.on('data', (text: Buffer) => log.push(text.toString()));
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const remove = (): Promise<void> => rm(home, { recursive: true, force: true, maxRetries: 5 });
  const controlPort = await new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    void ended.then(() => reject(new Error(`The graph server did not start. ${log.slice(-10).join('')}`)));
    createInterface({ input: child.stdout }).on('line', (line) => {
      const port = /^control (\d+)$/.exec(line)?.[1];
      if (port !== undefined) resolve(Number(port));
    });
  });
  return {
    controlPort,
    process: child,
    stop: async () => {
      child.kill('SIGKILL');
      await ended;
      await remove();
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
    const words = ['-q', '-B', 'dependency:copy-dependencies', `-DoutputDirectory=${folder}`, '-DincludeScope=runtime'];
    await promisify(execFile)('mvn', words, { cwd: work });
    await mkdir(join(libraries, '..'), { recursive: true });
    const partial = `${libraries}.${process.pid}`;
    await cp(folder, partial, { recursive: true });
    await rename(partial, libraries).catch(() => rm(partial, { recursive: true, force: true }));
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}
