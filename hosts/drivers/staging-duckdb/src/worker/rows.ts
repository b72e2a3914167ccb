import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api';

export async function rowsOf(
  connection: DuckDBConnection,
  statement: string,
): Promise<readonly (readonly DuckDBValue[])[]> {
  return (await connection.runAndReadAll(statement)).getRows();
}
