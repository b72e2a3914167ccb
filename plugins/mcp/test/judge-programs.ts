import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

// Programs by others that judge the endpoint. Two of them need a newer Node than this repository does.
const packages = [
  'node@22.23.3',
  '@modelcontextprotocol/conformance@0.2.0-alpha.12',
  '@modelcontextprotocol/inspector@2.12.0',
];
const requirements = ['mcp==2.3.0'];
const folder = fileURLToPath(new URL('../.cache/judges', import.meta.url));
const environment = fileURLToPath(new URL('../.venv', import.meta.url));
const modules = join(folder, 'node_modules');
const maxInstallMs = 480_000;
const maxRunMs = 240_000;

/** The programs come from npm and PyPI, so they run only with `npm run test:all`. */
export const areJudgesRequired = process.env['PACIOLI_TEST_REQUIRE_ALL'] === '1';

/** The outcome of a program. */
export interface ProgramResult {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Installs the programs once for each list of versions; an interrupted installation is repeated. */
export async function installJudges(): Promise<void> {
  await installOnce(folder, packages, async () => {
    writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
    await install('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', '--omit=dev', ...packages]);
  });
  await installOnce(environment, requirements, async () => {
    await install('python3', ['-m', 'venv', environment]);
    const options = ['--quiet', '--disable-pip-version-check'];
    await install(join(environment, 'bin', 'python'), ['-m', 'pip', 'install', ...options, ...requirements]);
  });
}

/** Runs the conformance suite of the protocol. */
export function runConformance(words: readonly string[]): Promise<ProgramResult> {
  return run(newerNode, [join(modules, '@modelcontextprotocol/conformance/dist/index.js'), ...words]);
}

/** Runs the inspector on the command line. */
export function runInspector(words: readonly string[]): Promise<ProgramResult> {
  return run(newerNode, [
    join(modules, '@modelcontextprotocol/inspector/clients/launcher/build/index.js'),
    '--cli',
    ...words,
  ]);
}

/** Runs a script with the official Python client. */
export function runPython(script: string, words: readonly string[]): Promise<ProgramResult> {
  return run(join(environment, 'bin', 'python'), [script, ...words]);
}

const newerNode = join(modules, 'node/bin/node');

async function installOnce(place: string, wanted: readonly string[], work: () => Promise<void>): Promise<void> {
  const stamp = join(place, 'installed');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted.join(' ')) return;
  rmSync(place, { recursive: true, force: true });
  mkdirSync(place, { recursive: true });
  await work();
  writeFileSync(stamp, wanted.join(' '));
}

/** The event loop stays free, because the service that is judged runs in it. */
async function run(program: string, words: readonly string[]): Promise<ProgramResult> {
  const options = { timeout: maxRunMs, maxBuffer: 64 * 1024 * 1024 };
  try {
    const { stdout, stderr } = await promisify(execFile)(program, words, options);
    return { status: 0, stdout, stderr };
  } catch (error) {
    // The shape that execFile rejects with.
    const { code, stdout = '', stderr = '' } = error as { code?: unknown; stdout?: string; stderr?: string };
    if (typeof code !== 'number') throw error;
    return { status: code, stdout, stderr };
  }
}

async function install(program: string, words: readonly string[]): Promise<void> {
  try {
    await promisify(execFile)(program, words, { timeout: maxInstallMs });
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }; // As above.
    throw new Error(`${program} ${words.join(' ')} failed.\n${stdout}\n${stderr}`, { cause: error });
  }
}
