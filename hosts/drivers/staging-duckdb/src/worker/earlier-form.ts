import type { DuckDBConnection } from '@duckdb/node-api';
import { quoted } from '@pacioli/worker-process/duckdb-text';
import { rowsOf } from './rows.ts';

const renamed = { file_id: '_file_id', file_position: '_file_position', file_row: '_file_row' };

/** Tables of files that have the internal columns under their earlier names, which a file could have too. */
async function earlierTables(connection: DuckDBConnection): Promise<readonly string[]> {
  const rows = await rowsOf(
    connection,
    `SELECT table_name FROM duckdb_columns() WHERE database_name = current_database() AND schema_name = 'files'
      GROUP BY table_name HAVING NOT bool_or(column_name = '_file_position')`,
  );
  return rows.map(([name]) => quoted(String(name)));
}

/** True for a database whose internal columns have their earlier names. */
export async function hasEarlierForm(connection: DuckDBConnection): Promise<boolean> {
  return (await earlierTables(connection)).length > 0;
}

/** Renames the internal columns, in the tables of files and in those made from them. */
export async function renameInternalColumns(connection: DuckDBConnection): Promise<void> {
  await connection.run('BEGIN');
  for (const table of await earlierTables(connection)) {
    for (const [earlier, name] of Object.entries(renamed))
      await connection.run(`ALTER TABLE files.${table} RENAME COLUMN ${earlier} TO ${name}`);
    await connection.run(`ALTER TABLE main.${table} RENAME COLUMN file_id TO _file_id`);
  }
  await connection.run('COMMIT');
}
