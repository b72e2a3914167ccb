import { type FileHandle, open } from 'node:fs/promises';
import { WorkerFailure } from './failure.ts';

const blockBytes = 4096;

/**
 * Refuses a JSON array without its end: the engine takes the complete records of a file that was cut off between two of
 * them, and the others would be missing silently.
 */
export async function requireWholeArray(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    const { size } = await handle.stat();
    if ((await sign(handle, size, 'first')) !== '[' || (await sign(handle, size, 'last')) === ']') return;
    const message = 'The file cannot be read as json. It begins with "[" and has no "]" at its end: it was cut off.';
    throw new WorkerFailure('unreadable-file', message);
  } finally {
    await handle.close();
  }
}

/** The first or last sign of the file that is not white space. */
async function sign(handle: FileHandle, size: number, which: 'first' | 'last'): Promise<string> {
  for (let done = 0; done < size; done += blockBytes) {
    const length = Math.min(blockBytes, size - done);
    const at = which === 'first' ? done : size - done - length;
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, at);
    // By bytes: no byte of a longer character is one of these signs.
    const text = buffer
      .subarray(0, bytesRead)
      .toString('latin1')
      .replace(/^\u00EF\u00BB\u00BF/, '')
      .trim();
    if (text !== '') return (which === 'first' ? text[0] : text.at(-1)) ?? '';
  }
  return '';
}
