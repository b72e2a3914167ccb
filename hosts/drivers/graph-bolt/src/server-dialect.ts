import { closingBracket, GraphStoreError, maskStatement, splitAtCommas } from '@pacioli/core/ports';

/** A call that has another name or meaning on the server. */
const embeddedCall = /(?<![\w$.`])(label|rels|timestamp|substring)\s*\(/gi;

/**
 * Rewrites calls in the dialect of the embedded engine to that of the server (graphs 21.4): `label(x)` is `labels(x)[0]` or
 * `type(x)`, `rels(p)` is `relationships(p)`, `timestamp(text)` is an instant in UTC, and `substring` counts from 0. Instants have microseconds,
 * as in the embedded engine.
 */
export function inServerDialect(text: string): string {
  const { text: masked } = maskStatement(text);
  const variables = [...masked.matchAll(/\[\s*([A-Za-z_]\w*)\s*[:\]*{]/g)].map(([, name = '']) => name);
  return rewriteCalls(text, masked, new Set(variables));
}

function rewriteCalls(text: string, masked: string, relationships: ReadonlySet<string>): string {
  let result = '';
  let from = 0;
  for (const { 0: found, 1: word = '', index } of masked.matchAll(embeddedCall)) {
    if (index < from) continue;
    const start = index + found.length;
    const end = closingBracket(masked, start);
    const given = splitAtCommas(masked, start, end).map(([first, last]) =>
      rewriteCalls(text.slice(first, last), masked.slice(first, last), relationships),
    );
    result += text.slice(from, index) + callOf(word.toLowerCase(), given, text.slice(index, start), relationships);
    from = end + 1;
  }
  return result + text.slice(from);
}

function callOf(word: string, given: readonly string[], opening: string, relationships: ReadonlySet<string>): string {
  const inner = given.join(',');
  switch (word) {
    case 'rels':
      return `relationships(${inner})`;
    case 'label':
      return relationships.has(inner.trim()) ? `type(${inner})` : `labels(${inner})[0]`;
    case 'timestamp':
      return timestampOf(given);
    case 'substring':
      return substringOf(given);
    default:
      return `${opening}${inner})`;
  }
}

/** On the server, `timestamp()` is a count of milliseconds, which equals no instant. */
function timestampOf([text = '', ...rest]: readonly string[]): string {
  if (text.trim() === '' || rest.length > 0)
    throw new GraphStoreError('bind', "timestamp() takes one text, as timestamp('2026-01-31 12:00:00').");
  return `datetime.truncate('microsecond', datetime({datetime: datetime(replace(${text}, ' ', 'T')), timezone: 'Z'}))`;
}

function substringOf(given: readonly string[]): string {
  const [text = '', first = '', length = '', ...rest] = given;
  if (given.length !== 3 || rest.length > 0)
    throw new GraphStoreError(
      'bind',
      'substring() takes a text, the place of the first character, counted from 1, and a length.',
    );
  if (/^\s*[1-9]\d*\s*$/.test(first)) return `substring(${text}, ${Number(first) - 1},${length})`;
  // Before its first character, a text is empty in the embedded engine and a mistake on the server.
  return `head([pacioli_first IN [${first.trim()}] | substring(CASE WHEN pacioli_first < 1 THEN left(${text}, 0) ELSE ${text} END, CASE WHEN pacioli_first < 1 THEN 0 ELSE pacioli_first - 1 END,${length})])`;
}
