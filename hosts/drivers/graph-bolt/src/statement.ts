import { type CatalogTable, GraphStoreError, maskStatement } from '@pacioli/core/ports';
import { listCatalog, listTables, nameColumns } from '@pacioli/graph-statements';
import { requireDeclared } from './declared-names.ts';
import { requireDeclaredProperties } from './declared-properties.ts';
import { requireNoDoubling, withBoundedLists } from './list-guards.ts';
import { inServerDialect } from './server-dialect.ts';

/** A statement in the words of the server. */
export interface BoltStatement {
  readonly text: string;
  /** Without the names of columns, for errors whose places are those of the caller's text. */
  readonly unnamed: string;
  readonly masked: string;
  /** Undefined where the final RETURN could not be split: then the server names the columns. */
  readonly names: readonly string[] | undefined;
}

/** Options of a statement, plans, which would run as part of ours, and other databases. The gate refuses them with their own messages. */
const optionWords = /^\s*(?:EXPLAIN|PROFILE|CYPHER|USING)\b|(?:^|[{}])\s*USE\s/i;

/** Functions of a namespace that every server has. Others are added by an operator and may reach anything. */
export const functionNamespaces = [
  ...['date', 'datetime', 'duration', 'localdatetime', 'localtime', 'point', 'time', 'vector'],
];

/**
 * Prepares a statement of a caller: catalog procedures become lists, unaliased columns get their source text as name,
 * what the embedded engine calls differently is renamed (graphs 21.4), and lists get a bound (graphs E-38). Throws for what the server must not run.
 */
export function boltStatement(given: string, tables: readonly CatalogTable[]): BoltStatement {
  const listed = listTables(listCatalog(given, tables), tables);
  const { text: masked, complete } = maskStatement(listed);
  if (!complete) throw new GraphStoreError('syntax', 'A comment, text or quoted name in the statement does not end.');
  requireReadableAsWritten(listed);
  if (optionWords.test(masked))
    throw new GraphStoreError('read-only', 'Options, plans and other databases are not available to a query.');
  requireKnownFunctions(listed, masked);
  requireDeclared(listed, masked, tables);
  requireDeclaredProperties(listed, masked, tables);
  requireNoDoubling(masked);
  const named = nameColumns(listed);
  const text = withBoundedLists(inServerDialect(named.text));
  return { text, unnamed: inServerDialect(listed), masked: maskStatement(text).text, names: named.names };
}

/** The server decodes `\u0027` in the whole text before it parses it, so that a text or comment could end early. */
function requireReadableAsWritten(text: string): void {
  if (/\\u+00[0-7][0-9a-f]/i.test(text))
    throw new GraphStoreError('syntax', 'Write letters and signs themselves instead of as \\u and a number.');
}

function requireKnownFunctions(text: string, masked: string): void {
  const calls = /(?<![\w`$.])(?:`+|[A-Za-z_]\w*)(?:\s*\.\s*(?:`+|[A-Za-z_]\w*))+(?=\s*\()/g;
  for (const { 0: found, index } of masked.matchAll(calls)) {
    const name = text
      .slice(index, index + found.length)
      .replaceAll(/[\s`]/g, '')
      .toLowerCase();
    if (functionNamespaces.includes(name.split('.')[0] ?? '')) continue;
    throw new GraphStoreError('catalog', `Unknown function '${name}'`);
  }
}
