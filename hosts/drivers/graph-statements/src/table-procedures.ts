import { type CatalogTable, GraphStoreError, maskStatement } from '@pacioli/core/ports';

/** The catalog procedures of the embedded engine that statements may call on others (graphs Q-53), in lower case. */
export const tableProcedures = [
  'show_tables',
  'table_info',
  'show_connection',
  'show_indexes',
  'db_version',
  'show_functions',
  'show_warnings',
] as const;

type TableProcedure = (typeof tableProcedures)[number];
type Cell = string | number | boolean | readonly string[];

/** The result of a procedure: its columns as the embedded engine names them, and a row of empty cells for their types. */
interface Listing {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  readonly empty: readonly Cell[];
}

/** The answers to procedures of the embedded engine that have no equivalent elsewhere. */
const withoutEquivalent: Partial<Record<TableProcedure, string>> = {
  db_version:
    'Statements cannot read the version of the graph engine: GET /v1/graphs/{graph_id}/info describes the database.',
  show_functions: 'The functions here are those of Cypher on this engine, which its manual lists.',
  show_warnings: 'The result of materialize and of ingest-file has the warnings of a load.',
};

const procedureCall = new RegExp(
  `(?<![\\w$.])CALL\\s+(${tableProcedures.join('|')})\\s*\\(([^()]*)\\)(?:\\s+YIELD\\s+(.*?)(?=\\s+(?:WHERE|RETURN|WITH|MATCH|UNWIND|OPTIONAL|ORDER)\\b|\\s*;?\\s*$))?`,
  'is',
);

/**
 * Replaces the call of a catalog procedure of the embedded engine by a list of records with the same columns.
 * Throws for a procedure without an equivalent, and names what to use.
 */
export function listTables(text: string, catalog: readonly CatalogTable[]): string {
  const found = procedureCall.exec(maskStatement(text).text);
  if (found === null) return text;
  const [call, name = '', given = '', yielded] = found;
  const procedure = name.toLowerCase() as TableProcedure; // By the pattern.
  const refusal = withoutEquivalent[procedure];
  if (refusal !== undefined) throw new GraphStoreError('catalog', `${procedure} is not available here. ${refusal}`);
  const open = found.index + call.indexOf('(') + 1;
  const listing = listingOf(procedure, tableName(text.slice(open, open + given.length)), catalog);
  const fields = listing.columns.map((column) => `row.${quoted(column)} AS ${quoted(column)}`).join(', ');
  const end = found.index + call.length;
  const items = yielded === undefined ? '' : ` WITH ${text.slice(end - yielded.length, end)}`;
  const after = allColumns(text.slice(end), yielded === undefined ? listing.columns : undefined);
  return `${text.slice(0, found.index)}${source(listing)} WITH ${fields}${items}${after}`;
}

/** `RETURN *` has the columns in the order of the procedure; a missing RETURN is added. */
function allColumns(after: string, columns: readonly string[] | undefined): string {
  const all =
    columns === undefined ? '*' : columns.map((column) => `${quoted(column)} AS ${quoted(column)}`).join(', ');
  if (/^\s*;?\s*$/.test(after)) return ` RETURN ${all}`;
  return after.replace(/^(\s*RETURN\s+(?:DISTINCT\s+)?)\*/i, `$1${all}`);
}

function tableName(argument: string): string | undefined {
  return /^\s*(['"])(.*)\1\s*$/s.exec(argument)?.[2];
}

function listingOf(procedure: TableProcedure, name: string | undefined, catalog: readonly CatalogTable[]): Listing {
  switch (procedure) {
    case 'table_info':
      return columnsOf(tableOf(procedure, name, catalog));
    case 'show_connection':
      return endsOf(tableOf(procedure, name, catalog), catalog);
    case 'show_indexes':
      return keysOf(catalog);
    default:
      return {
        columns: ['id', 'name', 'type', 'database name', 'comment'],
        rows: catalog.map((table, id) => [id, table.name, table.kind === 'node' ? 'NODE' : 'REL', 'main(graph)', '']),
        empty: [0, '', '', '', ''],
      };
  }
}

function tableOf(procedure: string, name: string | undefined, catalog: readonly CatalogTable[]): CatalogTable {
  if (name === undefined)
    throw new GraphStoreError(
      'bind',
      `${procedure} takes the name of a table, as a value instead of a parameter: ${procedure}('Entity').`,
    );
  const table = catalog.find((each) => each.name === name);
  if (table === undefined) throw new GraphStoreError('bind', `This graph has no table ${name}.`);
  if (procedure === 'show_connection' && table.kind === 'node')
    throw new GraphStoreError('bind', `${name} is a node type: show_connection takes a relationship type.`);
  return table;
}

function columnsOf({ kind, key, columns }: CatalogTable): Listing {
  const last = kind === 'node' ? 'primary key' : 'storage_direction';
  const rows = columns.map(({ name, type }, index): readonly Cell[] => [
    // The first property of a relationship is its own id, which is not listed.
    kind === 'node' ? index : index + 1,
    name,
    type === 'BOOLEAN' ? 'BOOL' : type,
    'NULL',
    kind === 'node' ? name === key : 'both',
  ]);
  return { columns: ['property id', 'name', 'type', 'default expression', last], rows, empty: [0, '', '', '', ''] };
}

function endsOf({ from = '', to = '' }: CatalogTable, catalog: readonly CatalogTable[]): Listing {
  const keyOf = (name: string): string => catalog.find((each) => each.kind === 'node' && each.name === name)?.key ?? '';
  const ends = ['source table name', 'destination table name'];
  const keys = ['source table primary key', 'destination table primary key'];
  return { columns: [...ends, ...keys], rows: [[from, to, keyOf(from), keyOf(to)]], empty: ['', '', '', ''] };
}

function keysOf(catalog: readonly CatalogTable[]): Listing {
  const rows = catalog.flatMap(({ name, key }): readonly (readonly Cell[])[] =>
    key === undefined ? [] : [[name, '_PK', 'HASH', [key], true, '']],
  );
  const columns = ['table_name', 'index_name', 'index_type', 'property_names', 'extension_loaded', 'index_definition'];
  return { columns, rows, empty: ['', '', '', [''], true, ''] };
}

/** A list of records. An empty listing has a row of empty cells, which gives its columns a type and is filtered out. */
function source({ columns, rows, empty }: Listing): string {
  const records = (rows.length === 0 ? [empty] : rows).map(
    (row) => `{${columns.map((column, index) => `${quoted(column)}: ${literal(row[index] ?? '')}`).join(', ')}}`,
  );
  return `UNWIND [${records.join(', ')}] AS row${rows.length === 0 ? ' WITH row WHERE false' : ''}`;
}

function literal(cell: Cell): string {
  if (typeof cell === 'object') return `[${cell.map(literal).join(', ')}]`;
  return typeof cell === 'string' ? `'${cell.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'` : String(cell);
}

const quoted = (name: string): string => `\`${name.replaceAll('`', '``')}\``;
