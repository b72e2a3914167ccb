import { type Store, sql } from '@pacioli/core';

/** The properties of a table in the catalog that are needed to write a row. */
export interface TableShape {
  readonly name: string;
  readonly columns: readonly ColumnShape[];
  /** The conditions of its checks, as SQL. */
  readonly checks: readonly string[];
  readonly references: readonly ReferenceShape[];
}

export interface ColumnShape {
  readonly name: string;
  /** The SQL name of the type. */
  readonly type: string;
  readonly is_array: boolean;
  /** True if a row needs a value: the column is NOT NULL and has no default. */
  readonly is_required: boolean;
  readonly labels: readonly string[];
}

export interface ReferenceShape {
  readonly target: string;
  readonly columns: readonly string[];
  readonly target_columns: readonly string[];
}

/** The tables whose names begin with the plugin's (platform X-5), except those of a plugin with a longer name. */
export async function tablesOf(
  store: Store,
  plugin: string,
  pluginNames: readonly string[],
): Promise<readonly TableShape[]> {
  const prefix = prefixOf(plugin);
  const longer = pluginNames.map(prefixOf).filter((other) => other.startsWith(prefix) && other !== prefix);
  const tables = await store.transaction('kernel', (tx) => tx.query(shapesSql));
  return tables.filter(({ name }) => name.startsWith(prefix) && !longer.some((other) => name.startsWith(other)));
}

function prefixOf(plugin: string): string {
  return `${plugin.replaceAll('-', '_')}_`;
}

const shapesSql = sql<TableShape>`
  SELECT c.relname AS name, (
    SELECT jsonb_agg(jsonb_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod),
      'is_array', t.typcategory = 'A', 'is_required', a.attnotnull AND NOT a.atthasdef AND a.attidentity = '',
      'labels', (SELECT coalesce(jsonb_agg(e.enumlabel ORDER BY e.enumsortorder), '[]') FROM pg_enum AS e
        WHERE e.enumtypid = a.atttypid)) ORDER BY a.attnum)
    FROM pg_attribute AS a JOIN pg_type AS t ON t.oid = a.atttypid
    WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
  ) AS columns, (
    SELECT coalesce(jsonb_agg(pg_get_constraintdef(k.oid) ORDER BY k.conname), '[]') FROM pg_constraint AS k
    WHERE k.conrelid = c.oid AND k.contype = 'c'
  ) AS checks, (
    SELECT coalesce(jsonb_agg(jsonb_build_object('target', k.confrelid::regclass::text,
      'columns', (SELECT jsonb_agg(a.attname ORDER BY part.place) FROM unnest(k.conkey) WITH ORDINALITY AS part (number, place)
        JOIN pg_attribute AS a ON a.attrelid = k.conrelid AND a.attnum = part.number),
      'target_columns', (SELECT jsonb_agg(a.attname ORDER BY part.place) FROM unnest(k.confkey) WITH ORDINALITY
        AS part (number, place) JOIN pg_attribute AS a ON a.attrelid = k.confrelid AND a.attnum = part.number))
      ORDER BY k.conname), '[]') FROM pg_constraint AS k WHERE k.conrelid = c.oid AND k.contype = 'f'
  ) AS "references"
  FROM pg_class AS c WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p')
  ORDER BY c.relname`;
