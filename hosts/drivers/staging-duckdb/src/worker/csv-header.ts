import { open } from 'node:fs/promises';
import { WorkerFailure } from './failure.ts';

/** A header of 400 long names has a few kilobytes. */
const maxHeaderBytes = 2 ** 20;
const maxShownCharacters = 100;

const unreadable = (message: string): WorkerFailure =>
  new WorkerFailure('unreadable-file', `The file cannot be read as csv. ${message}`);

/**
 * Reads the names of the columns from the first line of a CSV file. The engine would look for a header further below and
 * skip what precedes it (graphs F-7).
 */
export async function csvHeader(path: string): Promise<readonly string[]> {
  const text = await beginningOf(path);
  const names = firstRecord(text.replace(/^\uFEFF/, ''));
  if (names.length === 1 && names[0]?.trim() === '')
    throw unreadable('The first line must be the header with the names of the columns, but it is empty.');
  const [only = '', second] = names;
  const separator = second === undefined ? /[;\t|]/.exec(only)?.[0] : undefined;
  if (separator !== undefined)
    throw unreadable(
      `The header has no comma: columns are separated by ${separator === '\t' ? 'tabs' : `"${separator}"`}. Separate them by commas.`,
    );
  // As the engine names columns without a name.
  const columns = names.map((name, index) => (name === '' ? `column${index}` : name));
  const seen = new Set<string>();
  for (const name of columns) {
    if (seen.has(name.toLowerCase()))
      throw unreadable(`The header has the column "${name.slice(0, maxShownCharacters)}" twice.`);
    seen.add(name.toLowerCase());
  }
  return columns;
}

/** The first lines of the file, of which the first must be UTF-8; the engine judges the others. */
async function beginningOf(path: string): Promise<string> {
  const handle = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(maxHeaderBytes), 0, maxHeaderBytes, 0);
    const bytes = buffer.subarray(0, bytesRead);
    const end = bytes.indexOf('\n');
    new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, end === -1 ? bytesRead : end), { stream: true });
    return bytes.toString('utf8');
  } catch (error) {
    if (error instanceof TypeError) throw unreadable('It is not UTF-8.');
    throw error;
  } finally {
    await handle.close();
  }
}

/** The fields of the first record (RFC 4180). */
function firstRecord(text: string): readonly string[] {
  const field = /(?:"((?:[^"]|"")*)"|((?!")[^,\r\n]*))(,|\r\n|\r|\n|$)/y;
  const names: string[] = [];
  for (;;) {
    const found = field.exec(text);
    if (found === null) throw unreadable('A quote in the header, which is the first line, is not closed.');
    const [, inQuotes, plain = '', end] = found;
    names.push(inQuotes?.replaceAll('""', '"') ?? plain);
    if (end !== ',') return names;
  }
}
