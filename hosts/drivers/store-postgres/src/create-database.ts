import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { StoreError } from '@pacioli/core/ports';

const program = fileURLToPath(new URL('./pglite-create.mjs', import.meta.url));

/** The file that PostgreSQL writes into every data folder. */
const versionFile = 'PG_VERSION';

/** Memory and disk that creating a database needs, with a margin. */
const requirements = 'It needs 1 GB of memory and 100 MB of disk';

/**
 * Creates the database files at `folder` unless they exist; the caller owns the parent folder. They are written to a
 * sibling folder and renamed into place, so that a process killed in between leaves nothing that looks like a database.
 * A child process writes them: it needs 700 MB, and a worker thread would leave part of that in this process.
 */
export async function createDatabase(folder: string): Promise<void> {
  if (existsSync(join(folder, versionFile))) return;
  await removeEmptyFolder(folder);
  await removeUnfinished(folder);
  // A unique name, because the child process of a killed start may keep writing to its own folder for a moment.
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
  const reason = complaint.trim() || `the process that creates it ended with ${exitCode ?? signal}`;
  throw new StoreError(
    'unreachable',
    `The database could not be created at ${folder}. ${requirements}; free them and start again. The reason was: ${reason}`,
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
    // The child process of a killed start may still write there; then the next start removes it.
    await rm(join(parent, name), { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
  }
}

/** Removes an empty folder at the target. One with files is rejected: they may be the remains of a database. */
async function removeEmptyFolder(folder: string): Promise<void> {
  try {
    await rmdir(folder);
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    if (code === 'ENOENT') return;
    const message =
      code === 'ENOTEMPTY' || code === 'EEXIST'
        ? `The folder ${folder} has files but no database. Put back what is missing, or choose another data folder.`
        : `The folder ${folder} cannot be replaced: it is a link, a mount point or owned by another user. Remove it, or link or mount its parent folder.`;
    throw new StoreError('unreachable', message, { cause });
  }
}
