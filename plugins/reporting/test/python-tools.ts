import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// The outside judges of the formats, written by others: a SHACL validator, an XBRL processor, a reader of workbooks.
const requirements = ['pyshacl==0.40.1', 'arelle-release==2.47.3', 'openpyxl==3.1.5'];
const environment = fileURLToPath(new URL('../.venv', import.meta.url));

/** They need PyPI, so they run only with `npm run test:all`. */
export const areToolsRequired = process.env['PACIOLI_TEST_REQUIRE_ALL'] === '1';

/** The outcome of a program. */
export interface ProgramResult {
  readonly status: number | null;
  readonly output: string;
}

/** Creates the environment once for each list of versions; an interrupted installation is repeated. */
export function installTools(): void {
  const stamp = join(environment, 'installed');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === requirements.join(' ')) return;
  rmSync(environment, { recursive: true, force: true });
  mkdirSync(environment, { recursive: true });
  install('python3', ['-m', 'venv', environment]);
  install(join(environment, 'bin', 'python'), [
    '-m',
    'pip',
    'install',
    '--quiet',
    '--disable-pip-version-check',
    ...requirements,
  ]);
  writeFileSync(stamp, requirements.join(' '));
}

/** Runs a program of the environment. */
export function runTool(program: string, args: readonly string[]): ProgramResult {
  const { status, error, stdout, stderr } = spawnSync(join(environment, 'bin', program), args, {
    encoding: 'utf8',
    timeout: 240_000,
    maxBuffer: 64 * 1024 * 1024,
  });
  if (error !== undefined) throw error;
  return { status, output: `${stdout}${stderr}` };
}

function install(program: string, args: readonly string[]): void {
  const { status, error, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', timeout: 480_000 });
  if (error !== undefined) {
    throw new Error(`${program} could not be started. Install Python 3.11 or newer.`, { cause: error });
  }
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}:\n${stdout}\n${stderr}`);
}
