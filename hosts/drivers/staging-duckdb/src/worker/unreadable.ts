import { failureOf, WorkerFailure } from './failure.ts';

const maxShownCharacters = 200;

/**
 * Describes why the engine cannot read a file. Its own texts name options that a caller cannot set, and show the path
 * and long parts of the file (graphs I-6).
 */
export function unreadableFile(error: unknown, format: string): unknown {
  if (error instanceof WorkerFailure) return error;
  const text = error instanceof Error ? error.message : String(error);
  // Other errors are those of the host. The texts about a file quote it, so words in them say nothing.
  if (!text.startsWith('Invalid Input Error') && failureOf(error).code !== 'statement') return error;
  const reason = format === 'csv' ? csvReason(text) : plainReason(text);
  return new WorkerFailure('unreadable-file', `The file cannot be read as ${format}. ${reason}`);
}

function csvReason(text: string): string {
  const line = /CSV Error on Line: (\d+)/.exec(text)?.[1];
  const place = line === undefined ? 'A line' : `Line ${line}`;
  const columns = /^Expected Number of Columns: (\d+) Found: (\d+)/m.exec(text);
  if (columns !== null) {
    const [, expected, found] = columns;
    return `${place} has ${counted(Number(found))}, but the header, which is the first line, has ${expected}.`;
  }
  if (/^Value with unterminated quote/m.test(text))
    return `${place} has a quote that is not closed, or text after a closing quote.`;
  if (/^Invalid unicode/m.test(text)) return `${place} is not UTF-8.`;
  if (/^Maximum line size/m.test(text)) return `${place} is longer than 2 MB.`;
  return `${place} is not a record of CSV.`;
}

const counted = (values: number): string => `${values} ${values === 1 ? 'value' : 'values'}`;

/** The first sentence of the engine, which says where and what, without the file and the statement. */
function plainReason(text: string): string {
  const [first = ''] = text.split(/\n|\bTry (?:setting|increasing|auto-detecting)|LINE \d+:/);
  return first
    .replace(/^[\w ]* Error: /, '')
    .replaceAll(/(?: in)?(?: file)? ["'][^"']*[\\/][^"']*["']/g, '')
    .replaceAll(/(?:[A-Za-z]:)?[\\/](?:[\w.@+-]+[\\/])+[\w.@+-]*/g, 'the file')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, maxShownCharacters);
}
