import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { CreationError } from './creation-error.ts';

/**
 * Writes files by their paths into a new or empty folder, and returns its absolute path. Throws a CreationError, and
 * leaves nothing behind, if the folder cannot be used.
 */
export async function createFolder(folder: string, files: ReadonlyMap<string, string>): Promise<string> {
  const target = resolve(folder);
  await requireEmpty(target);
  const parent = dirname(target);
  try {
    await mkdir(parent, { recursive: true });
    // A sibling folder is renamed into place, so that an interrupted run leaves nothing that looks complete.
    const unfinished = await mkdtemp(join(parent, `.${basename(target)}-`));
    try {
      await writeFiles(unfinished, files);
      if (existsSync(target)) await rmdir(target);
      await rename(unfinished, target);
    } catch (error) {
      await rm(unfinished, { recursive: true, force: true });
      throw error;
    }
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new CreationError(`The folder ${target} cannot be created (${reason}). Choose another folder.`);
  }
  return target;
}

async function requireEmpty(folder: string): Promise<void> {
  if (!existsSync(folder)) return;
  if (!(await stat(folder)).isDirectory()) {
    throw new CreationError(`${folder} is a file. Choose another folder.`);
  }
  if ((await readdir(folder)).length > 0) {
    throw new CreationError(`The folder ${folder} is not empty. Choose another folder.`);
  }
}

async function writeFiles(folder: string, files: ReadonlyMap<string, string>): Promise<void> {
  for (const [path, text] of files) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}
