import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The file that tells one folder of an index, or of a graph in it, from another; no graph has such an id. */
const fileName = 'INDEX_ID';

/** Reads the id of the folder of an index or of a graph in it, and gives it one if it has none. */
export async function folderId(folder: string): Promise<string> {
  const file = join(folder, fileName);
  const known = await readFile(file, 'utf8').catch(ifMissing);
  if (known !== undefined) return known;
  await mkdir(folder, { recursive: true });
  const id = randomUUID();
  const complete = `${file}.${id}`;
  await writeFile(complete, id);
  try {
    await link(complete, file);
    return id;
  } catch (error) {
    if (!isOfCode(error, 'EEXIST')) throw error;
    return await readFile(file, 'utf8'); // Another process was faster.
  } finally {
    await rm(complete, { force: true });
  }
}

function ifMissing(error: unknown): undefined {
  if (!isOfCode(error, 'ENOENT')) throw error;
}

function isOfCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
