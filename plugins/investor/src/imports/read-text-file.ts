import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { invalidInput } from '@pacioli/core';

/** Reads a file of UTF-8 text; throws 422 for one that cannot be read, is larger than the limit or is not UTF-8. */
export async function readTextFile(path: string, maxBytes: number): Promise<string> {
  const bytes = await bytesOf(path, maxBytes);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw invalidInput(`${path} is not UTF-8 text. Save it as comma-separated values in UTF-8.`);
  }
}

async function bytesOf(path: string, maxBytes: number): Promise<Uint8Array> {
  const file = await open(resolve(path)).catch((error: Error) => {
    throw invalidInput(`${path} cannot be opened: ${error.message}. Give the path of a file that exists.`);
  });
  try {
    const { size } = await file.stat();
    if (size > maxBytes) throw invalidInput(`${path} has ${size} bytes. Split it: the limit is ${maxBytes}.`);
    // A folder can be opened, but not read.
    return await file.readFile().catch((error: Error) => {
      throw invalidInput(`${path} cannot be read: ${error.message}.`);
    });
  } finally {
    await file.close();
  }
}
