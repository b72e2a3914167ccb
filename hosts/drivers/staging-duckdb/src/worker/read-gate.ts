import type { DuckDBConnection } from '@duckdb/node-api';
import { WorkerFailure } from './failure.ts';

const openingWords = ['SELECT', 'WITH', 'FROM', 'VALUES', 'DESCRIBE', 'SHOW', 'SUMMARIZE', 'EXPLAIN'];

/** Functions in FROM that make rows of their arguments. Others read files, settings, or the text of a statement. */
const tableFunctions = new Set([
  'generate_series',
  'json_each',
  'json_tree',
  'range',
  'repeat',
  'repeat_row',
  'unnest',
]);

/** Functions of a value that show or change how the engine is set up, or only hold its threads. */
const refusedFunctions = new Set([
  'current_setting',
  'currval',
  'get_block_size',
  'getenv',
  'nextval',
  'parse_duckdb_log_message',
  'pg_get_constraintdef',
  'pg_get_viewdef',
  'pg_sleep',
  'sleep_ms',
  'txid_current',
  'write_log',
]);

/** Names of the engine's own functions and views. */
const engineName = /^(duckdb_|pragma_|pg_|sqlite_)/;

const catalogTables = new Set(['columns', 'tables']);
/** The names that the parser gives to SHOW TABLES and SHOW ALL TABLES; other lists are those of the engine. */
const shownLists = new Set(['"tables"', '__show_tables_expanded']);

/**
 * Refuses all but one statement that reads the given tables. The configuration of the database refuses files, settings
 * and extensions; this refuses what would show how the host is set up, and gives the reason before anything runs. It
 * judges the tree that the engine's own parser makes, because no scan of the text knows all ways to write a name
 * (graphs SQ-1, SQ-2).
 */
export async function requireRead(
  connection: DuckDBConnection,
  text: string,
  tables: ReadonlySet<string>,
): Promise<void> {
  const [opening = ''] = /^[\s(]*[A-Za-z]*/.exec(withoutComments(text)) ?? [];
  if (!openingWords.includes(opening.replaceAll(/[\s(]/g, '').toUpperCase())) throw notARead();
  const statements = await connection.extractStatements(text);
  if (statements.count !== 1) throw refused('Only one statement per request');
  // The plan of a read is a read. What precedes it must be exactly these words: a comment could hide another statement.
  const [start = ''] = /^\s*EXPLAIN(?:\s+ANALYZE)?\s/i.exec(text) ?? [];
  requireTree(await treeOf(connection, text.slice(start.length)), tables);
}

async function treeOf(connection: DuckDBConnection, text: string): Promise<unknown> {
  const reader = await connection.runAndReadAll('SELECT json_serialize_sql($1::VARCHAR)', [text]);
  const [[json] = []] = reader.getRows();
  const tree = JSON.parse(String(json)) as { readonly error: boolean; readonly statements?: readonly unknown[] }; // By the engine.
  // The engine serializes reads only.
  if (tree.error || tree.statements?.length !== 1) throw notARead();
  return tree.statements[0];
}

type TreeNode = Readonly<Record<string, unknown>>;

/** Judges each relation and function of the tree, wherever it is. */
function requireTree(tree: unknown, tables: ReadonlySet<string>): void {
  const relations: TreeNode[] = [];
  const known = new Set(tables);
  for (const node of nodesOf(tree)) {
    if (node['cte_map'] !== undefined) for (const name of namedQueries(node['cte_map'])) known.add(name);
    if (node['type'] === 'BASE_TABLE') relations.push(node);
    if (node['type'] === 'SHOW_REF') requireShown(node);
    if (node['type'] === 'TABLE_FUNCTION') requireTableFunction(node['function']);
    if (node['class'] === 'FUNCTION') requireFunction(node);
  }
  for (const relation of relations) requireTable(relation, known);
}

/** All objects of the tree; without recursion, because a caller decides how deep it is. */
function* nodesOf(tree: unknown): Generator<TreeNode> {
  const waiting: unknown[] = [tree];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value !== 'object' || value === null) continue;
    if (!Array.isArray(value)) yield value as TreeNode; // An object.
    waiting.push(...Object.values(value));
  }
}

function namedQueries(cteMap: unknown): readonly string[] {
  const { map = [] } = cteMap as { readonly map?: readonly { readonly key: string }[] }; // Of the engine.
  const names = map.map(({ key }) => key.toLowerCase());
  // Outside of its scope, such a name would be the view of the engine again.
  if (names.some((name) => engineName.test(name)))
    throw refused('A named query must not have the name of a view of the engine');
  return names;
}

function requireTable(node: TreeNode, known: ReadonlySet<string>): void {
  const [catalog, schema, name] = ['catalog_name', 'schema_name', 'table_name'].map((key) =>
    String(node[key] ?? '').toLowerCase(),
  );
  if (catalog === '' && (schema === '' || schema === 'main') && known.has(name ?? '')) return;
  if (catalog === '' && schema === 'information_schema' && catalogTables.has(name ?? '')) return;
  // Says so as the engine does, so that a wrong name is not mistaken for a forbidden one.
  if (/^\w+$/.test(name ?? '') && schema === '' && !engineName.test(name ?? ''))
    throw new WorkerFailure('statement', `Table with name ${String(node['table_name'])} does not exist.`);
  throw refused('Only the tables of the graph can be read');
}

function requireShown(node: TreeNode): void {
  if (node['query'] !== null || shownLists.has(String(node['table_name']))) return;
  throw refused('Only SHOW TABLES is allowed');
}

function requireTableFunction(node: unknown): void {
  const name = String((node as TreeNode | undefined)?.['function_name']).toLowerCase();
  if (!tableFunctions.has(name)) throw refused(`The function ${name.slice(0, 50)} cannot be used as a table`);
}

function requireFunction(node: TreeNode): void {
  const name = String(node['function_name']).toLowerCase();
  if (refusedFunctions.has(name) || name.startsWith('duckdb_') || name.startsWith('pragma_'))
    throw refused('Functions that describe the engine are not allowed');
}

/** Good enough to refuse other statements early; `requireTree` judges what this misreads. */
function withoutComments(text: string): string {
  return text.replaceAll(/--[^\n]*|\/\*[\s\S]*?\*\//g, ' ');
}

function notARead(): WorkerFailure {
  return refused('Only SELECT queries are allowed');
}

function refused(message: string): WorkerFailure {
  return new WorkerFailure('refused', `${message}.`);
}
