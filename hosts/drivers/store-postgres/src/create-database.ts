import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { StoreError } from '@pacioli/core/ports';

const program = fileURLToPath(new URL('./pglite-create.mjs', import.meta.url));

/** PostgreSQL writes it into every folder that it makes. */
const versionFile = 'PG_VERSION';

/**
 * Makes the files of the database at `folder` unless they are there; the caller owns the folder above. They are written
 * beside it and put in place at once, so that a process that is killed meanwhile leaves nothing that looks like a
 * database. A process of its own writes them: a thread would leave part of the 700 MB that takes with this one.
 */
export async function createDatabase(folder: string): Promise<void> {
  if (existsSync(join(folder, versionFile))) return;
  await requireEmpty(folder);
  await removeUnfinished(folder);
  // A name of its own: the program of a start that was killed may go on for a moment, but elsewhere.
  const unfinished = await mkdtemp(unfinishedPrefix(folder));
  const child = fork(program, [unfinished], { execArgv: [], stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
  const [[exitCode], complaint] = await Promise.all([
    once(child, 'exit'),
    child.stderr === null ? '' : text(child.stderr),
  ]);
  if (exitCode !== 0) throw new Error(`The database could not be made at ${folder}: ${complaint}`);
  await rename(unfinished, folder);
}

function unfinishedPrefix(folder: string): string {
  return `${folder}.new-`;
}

async function removeUnfinished(folder: string): Promise<void> {
  const parent = dirname(folder);
  const prefix = basename(unfinishedPrefix(folder));
  const names = (await readdir(parent)).filter((name) => name.startsWith(prefix));
  for (const name of names) await rm(join(parent, name), { recursive: true, force: true, maxRetries: 3 });
}

/** Refuses a folder with files: they may be what is left of somebody's database. */
async function requireEmpty(folder: string): Promise<void> {
  try {
    await rmdir(folder);
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    if (code === 'ENOENT') return;
    throw new StoreError(
      'unreachable',
      `The folder ${folder} has files but no database. Put back what is missing, or choose another data folder.`,
      { cause },
    );
  }
}
