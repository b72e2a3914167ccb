import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { type MigrationSet, StoreError } from '@pacioli/core/ports';

const namePattern = /^(\d{4})-[a-z0-9]+(?:-[a-z0-9]+)*\.sql$/;
const maxFiles = 2_000;

export interface MigrationFile {
  readonly owner: string;
  readonly name: string;
  readonly text: string;
  /** SHA-256 of the text with LF line ends, so that a Windows checkout has the same checksum. */
  readonly checksum: string;
}

/** Reads the files of all sets: sets in the given order, files of a set by their number. */
export async function readMigrationFiles(sets: readonly MigrationSet[]): Promise<readonly MigrationFile[]> {
  const files: MigrationFile[] = [];
  const owners = new Set<string>();
  for (const set of sets) {
    if (owners.has(set.owner)) throw new StoreError('migration', `Two sets of migrations belong to "${set.owner}".`);
    owners.add(set.owner);
    for (const name of await namesIn(set)) {
      const bytes = await readFile(new URL(encodeURIComponent(name), asFolder(set.folder)), 'utf8');
      const text = bytes.replaceAll('\r\n', '\n');
      files.push({ owner: set.owner, name, text, checksum: createHash('sha256').update(text).digest('hex') });
    }
  }
  return files;
}

async function namesIn(set: MigrationSet): Promise<readonly string[]> {
  let entries: readonly string[];
  try {
    entries = await readdir(set.folder);
  } catch (error) {
    throw new StoreError('migration', `The migrations of "${set.owner}" cannot be read.`, { cause: error });
  }
  const names = entries.filter((entry) => entry.endsWith('.sql')).sort();
  const numbers = new Set<string>();
  for (const name of names) {
    const number = namePattern.exec(name)?.[1];
    if (number === undefined) {
      throw new StoreError('migration', `Rename migration "${name}" of "${set.owner}" to the form 0001-what.sql.`);
    }
    if (numbers.has(number)) {
      throw new StoreError('migration', `Two migrations of "${set.owner}" have the number ${number}.`);
    }
    numbers.add(number);
  }
  if (names.length > maxFiles) {
    throw new StoreError('migration', `"${set.owner}" has more than ${maxFiles} migrations.`);
  }
  return names;
}

/** A URL without a closing slash names a file, and its siblings would be read instead of its content. */
function asFolder(url: URL): URL {
  return url.pathname.endsWith('/') ? url : new URL(`${url.href}/`);
}
