import {
  BIGINT,
  BOOLEAN,
  DOUBLE,
  type DuckDBConnection,
  DuckDBDataChunk,
  type DuckDBType,
  type DuckDBValue,
  INTEGER,
  VARCHAR,
} from '@duckdb/node-api';
import { duckdbType, isScalar, literal, quoted, unionMembers } from '@pacioli/worker-process/duckdb-text';
import type { Calls, SourceColumns } from '../protocol.ts';
import { WorkerFailure } from './failure.ts';
import { storedType } from './stored-types.ts';

/** DuckDB's own vector size: a chunk cannot hold more. */
const maxChunkRows = 2048;

/** The type in which rows of a projection arrive; the others arrive as text. */
const arrivingTypes: Readonly<Record<string, DuckDBType>> = { INT32: INTEGER, INT64: BIGINT, DOUBLE, BOOLEAN };

/** Fills the tables of a temporary database from rows of another source (graphs SQ-8). */
export class Sources {
  readonly #connection: DuckDBConnection;
  #current: SourceColumns | undefined;

  constructor(connection: DuckDBConnection) {
    this.#connection = connection;
  }

  async define(table: SourceColumns): Promise<null> {
    const columns = table.columns.map(({ name, type }) => `${quoted(name)} ${duckdbType(type)}`);
    await this.#connection.run(`CREATE OR REPLACE TABLE main.${quoted(table.name)} (${columns.join(', ')})`);
    const arriving = table.columns.map(({ name, type }) => `${quoted(name)} ${arrivingTypes[type] ?? VARCHAR}`);
    await this.#connection.run(`CREATE OR REPLACE TEMP TABLE _arriving (${arriving.join(', ')})`);
    this.#current = table;
    return null;
  }

  async rows({ rows, columns }: Calls['sourceRows']['ask']): Promise<null> {
    const table = this.#current;
    if (table === undefined) throw new WorkerFailure('unavailable', 'No table is being filled.');
    const types = table.columns.map(({ type }) => arrivingTypes[type] ?? VARCHAR);
    const appender = await this.#connection.createAppender('_arriving', undefined, 'temp');
    try {
      for (let from = 0; from < rows; from += maxChunkRows) {
        const until = Math.min(from + maxChunkRows, rows);
        const chunk = DuckDBDataChunk.create(types, until - from);
        table.columns.forEach(({ type }, index) => {
          const values = (columns[index] ?? []).slice(from, until);
          chunk.setColumnValues(
            index,
            values.map((value) => arrivingValue(value, type)),
          );
        });
        appender.appendDataChunk(chunk);
      }
    } finally {
      appender.closeSync();
    }
    const values = table.columns.map(({ name, type }) => castOfArriving(quoted(name), type));
    await this.#connection.run(
      `INSERT INTO main.${quoted(table.name)} SELECT ${values.join(', ')} FROM temp.main._arriving`,
    );
    await this.#connection.run('DELETE FROM temp.main._arriving');
    return null;
  }

  async parquet({ name, columns, path }: Calls['writeParquet']['ask']): Promise<null> {
    const written = columns.map(({ name: column, type }) => {
      const stored = storedType(type);
      return stored === duckdbType(type) ? quoted(column) : `CAST(${quoted(column)} AS ${stored}) AS ${quoted(column)}`;
    });
    await this.#connection.run(
      `COPY (SELECT ${written.join(', ')} FROM main.${quoted(name)}) TO ${literal(path)} (FORMAT parquet, COMPRESSION zstd)`,
    );
    return null;
  }
}

/** A word before a blank is the name of a field. */
const blobType = /\bBLOB\b(?! )/g;

/** Lists and records arrive as JSON. */
function castOfArriving(value: string, type: string): string {
  const isNested = !isScalar(type) && unionMembers(type) === undefined;
  if (!isNested) return value;
  const target = duckdbType(type);
  // A cast of JSON takes the text of a BLOB for its bytes; a cast of text reads the escaped bytes.
  const ofTexts = duckdbType(type.replaceAll(blobType, 'STRING'));
  const texts = `CAST(CAST(${value} AS JSON) AS ${ofTexts})`;
  return ofTexts === target ? texts : `CAST(${texts} AS ${target})`;
}

function arrivingValue(value: unknown, type: string): DuckDBValue {
  if (value === null || value === undefined) return null;
  if (type === 'INT64' && typeof value === 'number') return BigInt(value);
  return value as DuckDBValue; // A projection yields values of its declared types.
}
