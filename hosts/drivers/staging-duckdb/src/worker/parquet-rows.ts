import type { DuckDBConnection, DuckDBResult } from '@duckdb/node-api';
import { literal, quoted } from '@pacioli/worker-process/duckdb-text';
import type { Calls } from '../protocol.ts';
import { WorkerFailure } from './failure.ts';
import { rowsOf } from './rows.ts';
import { storedType } from './stored-types.ts';
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

  /** Fails unless the file has these columns, each in the type in which `Sources.parquet` writes it. */
  async check({ path, columns }: Calls['checkParquet']['ask']): Promise<null> {
    const found = await this.#types(`SELECT * FROM read_parquet(${literal(path)})`);
    const written = columns.map(({ name, type }) => `CAST(NULL AS ${storedType(type)}) AS ${quoted(name)}`);
    for (const [name, type] of await this.#types(`SELECT ${written.join(', ')}`)) {
      const foundType = found.get(name);
      if (foundType === type) continue;
      const has = foundType === undefined ? 'is not in it' : `is ${foundType} in it and should be ${type}`;
      throw new WorkerFailure('unreadable-file', `The file has other columns than were written: ${name} ${has}.`);
    }
    return null;
  }

  /** The columns of a statement with their types; it is not run. */
  async #types(statement: string): Promise<ReadonlyMap<string, string>> {
    try {
      const rows = await rowsOf(this.#connection, `DESCRIBE ${statement}`);
      return new Map(rows.map(([name, type]) => [String(name), String(type)]));
    } catch (error) {
      throw unreadableFile(error, 'parquet');
    }
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
