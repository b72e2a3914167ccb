import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

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

/**
 * Creates the environment once for each list of versions; an interrupted installation is repeated. The event loop stays
 * free: the service of the test runs in it, and could not tell its clients that it closes idle connections.
 */
export async function installTools(): Promise<void> {
  const stamp = join(environment, 'installed');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === requirements.join(' ')) return;
  rmSync(environment, { recursive: true, force: true });
  mkdirSync(environment, { recursive: true });
  await install('python3', ['-m', 'venv', environment]);
  await install(join(environment, 'bin', 'python'), [
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

async function install(program: string, args: readonly string[]): Promise<void> {
  try {
    await promisify(execFile)(program, args, { timeout: 480_000 });
  } catch (error) {
    // The shape that execFile rejects with.
    const { code, stdout, stderr } = error as { code?: unknown; stdout?: string; stderr?: string };
    const reason =
      code === 'ENOENT'
        ? `${program} could not be started. Install Python 3.11 or newer.`
        : `${program} ${args.join(' ')} ended with ${String(code)}:\n${stdout}\n${stderr}`;
    throw new Error(reason, { cause: error });
  }
}
