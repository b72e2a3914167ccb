// Node has no flock, and a file with a process id is no lock: ids are reused, and checking is not atomic. So the
// lock is an object that the kernel grants to one process and releases when that process ends, even by kill -9:
// on Linux an abstract socket and on Windows a named pipe, both named after the folder's inode, elsewhere
// a file opened with the flag O_EXLOCK of the BSD family. A socket is private to its network namespace: two
// containers that mount one folder do not see each other and must not share it. The process id in `owner.pid` is
// used only in the error message.
import { createHash } from 'node:crypto';
import { closeSync, constants, openSync } from 'node:fs';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { StoreError } from '@pacioli/core/ports';

/** Has the same value on macOS and the BSDs; Node has no constant for it. */
const exclusiveLockFlag = 0x20;
const isHeld = new Set(['EADDRINUSE', 'EAGAIN', 'EWOULDBLOCK', 'EACCES']);

export interface FolderLock {
  release(): Promise<void>;
}

/** Makes this process the only owner of an existing folder; throws a StoreError that names the folder and its owner. */
export async function lockFolder(folder: string): Promise<FolderLock> {
  const pidFile = join(folder, 'owner.pid');
  let unlock: () => Promise<void>;
  try {
    unlock = await takeLock(folder);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (!isHeld.has(code)) throw error;
    const owner = await readFile(pidFile, 'utf8').catch(() => 'unknown');
    throw new StoreError(
      'locked',
      `The data folder ${folder} is in use by process ${owner.trim()}. Stop it, or choose another folder.`,
      { cause: error },
    );
  }
  await writeFile(pidFile, `${process.pid}\n`);
  return {
    async release() {
      await rm(pidFile, { force: true });
      await unlock();
    },
  };
}

async function takeLock(folder: string): Promise<() => Promise<void>> {
  const { dev, ino } = await stat(folder, { bigint: true });
  const name = `pacioli-store-${createHash('sha256').update(`${dev}:${ino}`).digest('hex').slice(0, 32)}`;
  if (process.platform === 'linux') return listenAt(`\0${name}`);
  if (process.platform === 'win32') return listenAt(`\\\\.\\pipe\\${name}`);
  const flags = constants.O_RDWR | constants.O_CREAT | constants.O_NONBLOCK | exclusiveLockFlag;
  const file = openSync(join(folder, 'owner.lock'), flags, 0o600);
  return async () => closeSync(file);
}

async function listenAt(path: string): Promise<() => Promise<void>> {
  const server = createServer((socket) => socket.destroy());
  // The lock must not keep the process alive.
  server.unref();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ path }, resolve);
  });
  return () => new Promise<void>((resolve) => server.close(() => resolve()));
}
