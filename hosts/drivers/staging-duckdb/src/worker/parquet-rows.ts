import type { DuckDBConnection, DuckDBResult } from '@duckdb/node-api';
import { literal, quoted } from '@pacioli/worker-process/duckdb-text';
import type { Calls } from '../protocol.ts';
import { WorkerFailure } from './failure.ts';
import { unreadableFile } from './unreadable.ts';
import { neutral } from './values.ts';

const minRowsPerAnswer = 5_000;

/** Streams the rows of a parquet file that this package wrote. */
export class ParquetRows {
  readonly #connection: DuckDBConnection;
  #result: DuckDBResult | undefined;

  constructor(connection: DuckDBConnection) {
    this.#connection = connection;
  }

  /** Dates and instants are read as text, as the loads of a graph take them. */
  async start({ path, columns }: Calls['readParquet']['ask']): Promise<null> {
    const read = columns.map(({ name, type }) => {
      const isText = type === 'DATE' || type.startsWith('TIMESTAMP');
      return isText ? `CAST(${quoted(name)} AS VARCHAR)` : quoted(name);
    });
    try {
      this.#result = await this.#connection.stream(`SELECT ${read.join(', ')} FROM read_parquet(${literal(path)})`);
    } catch (error) {
      throw unreadableFile(error, 'parquet');
    }
    return null;
  }

  async next(): Promise<Calls['nextRows']['answer']> {
    if (this.#result === undefined) throw new WorkerFailure('unavailable', 'No file is being read.');
    const rows: Calls['nextRows']['answer'][number][] = [];
    while (rows.length < minRowsPerAnswer) {
      const chunk = await this.#result.fetchChunk().catch((error: unknown) => {
        throw unreadableFile(error, 'parquet');
      });
      if (chunk === null || chunk.rowCount === 0) break;
      for (const row of chunk.getRows()) rows.push(row.map(neutral));
    }
    return rows;
  }
}
