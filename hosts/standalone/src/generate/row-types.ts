/** Writes the row types of a package from the tables that its migrations leave in a real database. */
import { sql, type Transaction } from '@pacioli/core';
import { StartUpError } from '../start-up-error.ts';

/** A column of a migrated table, as the catalog describes it. */
export interface Column {
  readonly table: string;
  readonly name: string;
  /** As PostgreSQL names the type, such as `timestamp with time zone` or `text[]`. */
  readonly type: string;
  readonly isNullable: boolean;
  /** The checks of this column alone, as PostgreSQL prints them. */
  readonly checks: readonly string[];
}

/** Reads the columns of all tables except that of the migrations, in the order of their definitions. */
export async function readColumns(tx: Transaction): Promise<readonly Column[]> {
  return tx.query(sql<Column>`
    SELECT c.relname AS "table", a.attname AS name, format_type(a.atttypid, NULL) AS type,
      NOT a.attnotnull AS "isNullable", coalesce((
        SELECT jsonb_agg(pg_get_constraintdef(k.oid) ORDER BY k.conname) FROM pg_constraint AS k
        WHERE k.conrelid = c.oid AND k.contype = 'c' AND k.conkey = ARRAY[a.attnum]), '[]') AS checks
    FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid
    WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p')
      AND c.relname <> 'kernel_migration' AND a.attnum > 0 AND NOT a.attisdropped
    ORDER BY c.relname, a.attnum`);
}

/** The values that a store returns (see `Store` in core/src/store/store.ts). */
const valueTypes: Readonly<Record<string, string>> = {
  bigint: 'number',
  integer: 'number',
  smallint: 'number',
  'double precision': 'number',
  real: 'number',
  boolean: 'boolean',
  text: 'string',
  'character varying': 'string',
  uuid: 'string',
  numeric: 'string',
  date: 'string',
  'timestamp without time zone': 'string',
  'timestamp with time zone': 'Date',
  bytea: 'Buffer',
  int8multirange: 'string',
  // A reader narrows a JSON value to the shape that its writer stores: `KernelOutbox & { readonly payload: Event }`.
  jsonb: 'unknown',
  json: 'unknown',
};

/** Renders one interface per table, and one that lists them for the query builder. */
export function renderRowTypes(owner: string, columns: readonly Column[]): string {
  const tables = [...new Set(columns.map(({ table }) => table))];
  const rows = tables.map((table) => {
    const fields = columns
      .filter((column) => column.table === table)
      .map((column) => `  readonly ${column.name}: ${typeOf(column)};`);
    return `export interface ${pascalCase(table)} {\n${fields.join('\n')}\n}`;
  });
  const list = tables.map((table) => `  readonly ${table}: ${pascalCase(table)};`);
  return [
    '// Written by `npm run gen` from the migrations: the rows of each table as the store returns them. Do not edit.',
    ...rows,
    `/** For \`tx.tables<${pascalCase(owner)}Tables>()\`. */\nexport interface ${pascalCase(owner)}Tables {\n${list.join('\n')}\n}\n`,
  ].join('\n\n');
}

function typeOf({ table, name, type, isNullable, checks }: Column): string {
  const element = type.replace(/\[\]$/, '');
  const value = valueTypes[element];
  if (value === undefined) {
    const known = Object.keys(valueTypes).join(', ');
    throw new StartUpError(`${table}.${name} has the type ${type}, which has no row type. Use one of: ${known}.`);
  }
  if (value === 'unknown') return value;
  const single = literalsOf(name, checks) ?? value;
  const whole = element === type ? single : `readonly ${single}[]`;
  return isNullable ? `${whole} | null` : whole;
}

/** The values of a check such as `status IN ('open', 'paid')`, or undefined if no check lists all of them. */
function literalsOf(column: string, checks: readonly string[]): string | undefined {
  for (const check of checks) {
    const list = new RegExp(`^CHECK \\(\\(${column} = (?:ANY \\(ARRAY\\[(.+)\\]\\)|(.+))\\)\\)$`).exec(check);
    const values = (list?.[1] ?? list?.[2])?.split(', ').map((value) => /^'([^'\\]*)'::text$/.exec(value)?.[1]);
    if (values?.every((value) => value !== undefined)) return values.map((value) => `'${value}'`).join(' | ');
  }
  return undefined;
}

/** `kernel_org_user` becomes `KernelOrgUser`. */
function pascalCase(name: string): string {
  return name.replace(/(?:^|[-_])([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase());
}
