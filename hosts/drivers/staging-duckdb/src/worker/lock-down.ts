import type { DuckDBConnection } from '@duckdb/node-api';

/**
 * Leaves a process without files, network, extensions and settings for good (graphs SQ-2). Refusing external access still
 * lets the file of the database and its folder for temporary files be read and written, by their names; without the file
 * system there is no such path, and no log in a file either.
 */
export async function lockDown(connection: DuckDBConnection): Promise<void> {
  await connection.run('SET enable_external_access = false');
  await connection.run("SET disabled_filesystems = 'LocalFileSystem'");
  await connection.run('SET lock_configuration = true');
}
