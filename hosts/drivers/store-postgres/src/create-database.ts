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

/** Free memory and disk that making a database takes, with some to spare. */
const requirements = 'It needs 1 GB of memory and 100 MB of disk';

/**
 * Makes the files of the database at `folder` unless it has some; the caller owns the folder above. They are written beside
 * it and put in place at once, so that a process that is killed meanwhile leaves nothing that looks like a database. A
 * child process writes them: making a database takes 700 MB, and a worker thread would leave part of that in this process.
 */
export async function createDatabase(folder: string): Promise<void> {
  if (existsSync(join(folder, versionFile))) return;
  await removeEmptyFolder(folder);
  await removeUnfinished(folder);
  // A name of its own: the program of a start that was killed may go on for a moment, but elsewhere.
  const unfinished = await mkdtemp(unfinishedPrefix(folder));
  try {
    await writeDatabase(unfinished, folder);
    await rename(unfinished, folder);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  }
}

async function writeDatabase(unfinished: string, folder: string): Promise<void> {
  const child = fork(program, [unfinished], { execArgv: [], stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
  const [[exitCode, signal], complaint] = await Promise.all([
    once(child, 'exit'),
    child.stderr === null ? '' : text(child.stderr),
  ]);
  if (exitCode === 0) return;
  const reason = complaint.trim() || `the process that makes it ended with ${exitCode ?? signal}`;
  throw new StoreError(
    'unreachable',
    `The database could not be made at ${folder}. ${requirements}; free them and start again. The reason was: ${reason}`,
  );
}

function unfinishedPrefix(folder: string): string {
  return `${folder}.new-`;
}

async function removeUnfinished(folder: string): Promise<void> {
  const parent = dirname(folder);
  const prefix = basename(unfinishedPrefix(folder));
  const names = (await readdir(parent)).filter((name) => name.startsWith(prefix));
  for (const name of names) {
    // The program of a start that was killed may still write there; the next start removes it then.
    await rm(join(parent, name), { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
  }
}

/** Makes place for the finished folder. One with files is refused: they may be what is left of somebody's database. */
async function removeEmptyFolder(folder: string): Promise<void> {
  try {
    await rmdir(folder);
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    if (code === 'ENOENT') return;
    const message =
      code === 'ENOTEMPTY' || code === 'EEXIST'
        ? `The folder ${folder} has files but no database. Put back what is missing, or choose another data folder.`
        : `The folder ${folder} cannot be replaced: it is a link, a mount point or somebody else's. Remove it, or link or mount the folder above it.`;
    throw new StoreError('unreachable', message, { cause });
  }
}
