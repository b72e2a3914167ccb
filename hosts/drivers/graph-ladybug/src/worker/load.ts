import { rm } from 'node:fs/promises';
import {
  BIGINT,
  BOOLEAN,
  DOUBLE,
  type DuckDBConnection,
  DuckDBDataChunk,
  DuckDBInstance,
  type DuckDBType,
  type DuckDBValue,
  INTEGER,
  VARCHAR,
} from '@duckdb/node-api';
import type { LoadReject, RejectReason } from '@pacioli/core/ports';
import { duckdbType, literal, quoted, unionMembers } from '@pacioli/worker-process/duckdb-text';
import type { Calls, LoadOutcome, LoadTable } from '../protocol.ts';
import type { Engine } from './engine.ts';
import { WorkerFailure } from './failure.ts';

const maxExamples = 20;
/** DuckDB's own vector size: a chunk cannot hold more. */
const maxChunkRows = 2048;
const smallestInt64 = '-9223372036854775808';

/** Types of rows that arrive one by one. Dates and instants are text, so that an invalid one is counted, not thrown. */
const stagedTypes: Readonly<Record<string, DuckDBType>> = {
  STRING: VARCHAR,
  INT32: INTEGER,
  INT64: BIGINT,
  DOUBLE,
  BOOLEAN,
  DATE: VARCHAR,
  TIMESTAMP: VARCHAR,
};

/** Stages tables in DuckDB, checks their keys, and passes them to the engine as Parquet. */
export class Loader {
  readonly #engine: Engine;
  readonly #path: string;
  #instance: DuckDBInstance | undefined;
  #stage: DuckDBConnection | undefined;
  #table: LoadTable | undefined;

  constructor(engine: Engine, databasePath: string) {
    this.#engine = engine;
    this.#path = `${databasePath}.stage`;
  }

  async start(table: LoadTable): Promise<null> {
    const staging = await this.#open();
    const columns = table.columns.map((column) => `${quoted(column.name)} ${stagedSql(column.type)}`);
    await staging.run(`CREATE OR REPLACE TABLE incoming (${columns.join(', ')})`);
    this.#table = table;
    return null;
  }

  /** Appends one batch, column by column. */
  async rows(ask: Calls['loadRows']['ask']): Promise<null> {
    const { staging, table } = this.#current();
    const types = table.columns.map((column) => stagedType(column.type));
    const appender = await staging.createAppender('incoming');
    try {
      for (let from = 0; from < ask.rows; from += maxChunkRows) {
        const until = Math.min(from + maxChunkRows, ask.rows);
        const chunk = DuckDBDataChunk.create(types, until - from);
        table.columns.forEach((column, index) => {
          const values = ask.columns[index] ?? []; // A batch has a list for each column.
          chunk.setColumnValues(index, staged(values.slice(from, until), column));
        });
        appender.appendDataChunk(chunk);
      }
    } finally {
      appender.closeSync();
    }
    return null;
  }

  async parquet(path: string): Promise<null> {
    const { staging, table } = this.#current();
    const columns = table.columns.map((column) => `CAST(${quoted(column.name)} AS ${stagedSql(column.type)})`);
    await staging.run(`INSERT INTO incoming SELECT ${columns.join(', ')} FROM read_parquet(${literal(path)})`);
    return null;
  }

  /** Checks the staged rows, copies the valid ones into the graph and counts the loaded rows. */
  async end(): Promise<LoadOutcome> {
    const { staging, table } = this.#current();
    const rejects = await this.#rejects(staging, table);
    const rowsIn = await count(staging, 'SELECT count(*) FROM incoming');
    const rejected = rejects.reduce((sum, reject) => sum + reject.count, 0);
    if (rejected > table.maxRejects) {
      throw new WorkerFailure('rejected-rows', `${table.name}: ${describe(rejects)}.`, rejects);
    }
    const before = await this.#graphRows(table);
    await this.#copy(staging, table);
    const rowsLoaded = (await this.#graphRows(table)) - before;
    if (table.kind === 'node')
      await staging.run(
        `CREATE OR REPLACE TABLE ${keysOf(table.name)} AS SELECT ${quoted(table.key)} AS key FROM good`,
      );
    await staging.run('DROP VIEW good; DROP TABLE incoming');
    this.#table = undefined;
    return { rows_in: rowsIn, rows_loaded: rowsLoaded, rejects };
  }

  async close(): Promise<void> {
    this.#stage?.closeSync();
    this.#instance?.closeSync();
    await rm(this.#path, { force: true });
    await rm(`${this.#path}.wal`, { force: true });
  }

  async #open(): Promise<DuckDBConnection> {
    if (this.#stage !== undefined) return this.#stage;
    await rm(this.#path, { force: true });
    this.#instance = await DuckDBInstance.create(this.#path, { memory_limit: '256MB', threads: '2' });
    this.#stage = await this.#instance.connect();
    return this.#stage;
  }

  #current(): { staging: DuckDBConnection; table: LoadTable } {
    if (this.#stage === undefined || this.#table === undefined)
      throw new WorkerFailure('engine', 'No table is being loaded.');
    return { staging: this.#stage, table: this.#table };
  }

  /** Creates the view `good` and returns the rejects (graphs M-24). A row with two faults counts for the first. */
  async #rejects(staging: DuckDBConnection, table: LoadTable): Promise<LoadReject[]> {
    const reasons: (readonly [RejectReason, string])[] = [
      [
        'null_key',
        keyColumns(table)
          .map((name) => `${quoted(name)} IS NULL`)
          .join(' OR '),
      ],
    ];
    const castable = table.columns.filter(({ type }) => type === 'DATE' || type === 'TIMESTAMP');
    const bad = castable.map(
      ({ name, type }) => `(${quoted(name)} IS NOT NULL AND TRY_CAST(${quoted(name)} AS ${type}) IS NULL)`,
    );
    // The engine reads the smallest INT64 as 0.
    for (const { name, type } of table.columns) if (type === 'INT64') bad.push(`${quoted(name)} = ${smallestInt64}`);
    if (bad.length > 0) reasons.push(['cast', bad.join(' OR ')]);
    if (table.kind === 'node') {
      reasons.push(['duplicate', `rowid NOT IN (SELECT min(rowid) FROM incoming GROUP BY ${quoted(table.key)})`]);
    } else {
      const [from, to] = table.columns.map(({ type }) => stagedSql(type));
      await staging.run(`CREATE TABLE IF NOT EXISTS ${keysOf(table.from ?? '')} (key ${from ?? 'VARCHAR'});
        CREATE TABLE IF NOT EXISTS ${keysOf(table.to ?? '')} (key ${to ?? 'VARCHAR'})`);
      reasons.push([
        'dangling',
        `NOT EXISTS (SELECT 1 FROM ${keysOf(table.from ?? '')} k WHERE k.key = incoming."from")
          OR NOT EXISTS (SELECT 1 FROM ${keysOf(table.to ?? '')} k WHERE k.key = incoming."to")`,
      ]);
    }
    const verdict = reasons.map(([reason, condition]) => `WHEN ${condition} THEN ${literal(reason)}`).join(' ');
    const key = table.kind === 'node' ? `CAST(${quoted(table.key)} AS VARCHAR)` : `"from" || ' -> ' || "to"`;
    await staging.run(`CREATE OR REPLACE TABLE rejected AS SELECT id, reason, key FROM (
      SELECT rowid AS id, CASE ${verdict} END AS reason, ${key} AS key FROM incoming) WHERE reason IS NOT NULL`);
    await staging.run(`CREATE OR REPLACE VIEW good AS SELECT * FROM incoming
      WHERE rowid NOT IN (SELECT id FROM rejected)`);
    const reader =
      await staging.runAndReadAll(`SELECT reason, count(*)::INTEGER, list(key ORDER BY id)[1:${maxExamples}]::VARCHAR[]
      FROM rejected GROUP BY reason ORDER BY reason`);
    return reader.getRowsJson().map((row) => ({
      reason: row[0] as RejectReason, // One of `reasons` above.
      count: Number(row[1]),
      examples: (row[2] as readonly (string | null)[]).map((example) => example ?? '(no key)'), // list() of text
    }));
  }

  async #copy(staging: DuckDBConnection, table: LoadTable): Promise<void> {
    const file = `${this.#path}.parquet`;
    const columns = table.columns.map(
      ({ name, type }) => `CAST(${quoted(name)} AS ${writtenType(type)}) AS ${quoted(name)}`,
    );
    const read = table.columns.map(({ name, type }) =>
      isWrittenAsText(type) ? `cast(\`${name}\`, '${type}')` : `\`${name}\``,
    );
    try {
      // The engine reads version 1 only: strings and doubles of version 2 arrive corrupted.
      await staging.run(
        `COPY (SELECT ${columns.join(', ')} FROM good) TO ${literal(file)} (FORMAT parquet, PARQUET_VERSION V1)`,
      );
      const hasCasts = read.some((value) => value.startsWith('cast('));
      const source = hasCasts ? `(LOAD FROM ${engineLiteral(file)} RETURN ${read.join(', ')})` : engineLiteral(file);
      await this.#engine.execute([`COPY \`${table.name}\` FROM ${source}`]);
    } finally {
      await rm(file, { force: true });
    }
  }

  async #graphRows(table: LoadTable): Promise<number> {
    const pattern = table.kind === 'node' ? `(x:\`${table.name}\`)` : `()-[x:\`${table.name}\`]->()`;
    const [row] = await this.#engine.execute([`MATCH ${pattern} RETURN count(x) AS total`]);
    return Number(row?.['total'] ?? 0);
  }
}

/** The type of a staged column: dates and instants are text, as in `stagedTypes`. */
function stagedSql(type: string): string {
  return type === 'DATE' || type === 'TIMESTAMP' ? 'VARCHAR' : duckdbType(type);
}

/** The type in the file for the engine, which refuses some types in Parquet and reads others with a loss of digits. */
function writtenType(type: string): string {
  return isWrittenAsText(type) ? 'VARCHAR' : duckdbType(type);
}

function isWrittenAsText(type: string): boolean {
  return unionMembers(type) !== undefined || (/^(?:DECIMAL|INT128|UUID|INTERVAL)\b/.test(type) && !type.includes('['));
}

function stagedType(type: string): DuckDBType {
  const staged = stagedTypes[type];
  if (staged === undefined) throw new WorkerFailure('engine', `A column of type ${type} cannot be loaded.`);
  return staged;
}

function staged(values: readonly unknown[], column: { readonly name: string; readonly type: string }): DuckDBValue[] {
  return values.map((value): DuckDBValue => {
    if (value === null || value === undefined) return null;
    if (column.type !== 'INT64') return checked(value, column);
    if (typeof value === 'bigint') return value;
    if (Number.isSafeInteger(value)) return BigInt(value as number); // A safe integer is a number.
    throw new WorkerFailure('runtime', `${column.name} is INT64, so it takes safe integers and bigints only.`);
  });
}

const expected: Readonly<Record<string, string>> = { INT32: 'number', DOUBLE: 'number', BOOLEAN: 'boolean' };

function checked(value: unknown, column: { readonly name: string; readonly type: string }): DuckDBValue {
  const wanted = expected[column.type] ?? 'string';
  const isWhole = column.type !== 'INT32' || Number.isInteger(value);
  if (typeof value === wanted && isWhole) return value as DuckDBValue; // A string, number or boolean, as just checked.
  throw new WorkerFailure('runtime', `${column.name} is ${column.type}, so it cannot take a ${typeof value}.`);
}

const keyColumns = (table: LoadTable): readonly string[] => (table.kind === 'node' ? [table.key] : ['from', 'to']);
const keysOf = (node: string): string => quoted(`keys_${node}`);
const engineLiteral = (path: string): string => `'${path.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

function describe(rejects: readonly LoadReject[]): string {
  return rejects
    .map(({ reason, count: rows, examples }) => `${rows} rows are ${reason} (first: ${examples[0]})`)
    .join(', ');
}

async function count(staging: DuckDBConnection, statement: string): Promise<number> {
  const reader = await staging.runAndReadAll(statement);
  return Number(reader.getRows()[0]?.[0] ?? 0);
}
