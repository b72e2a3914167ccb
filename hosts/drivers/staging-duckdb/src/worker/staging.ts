import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api';
import type { DanglingEnds, StagedTableState, StageReport } from '@pacioli/core/ports';
import { duckdbType, literal, quoted } from '@pacioli/worker-process/duckdb-text';
import type { Calls, WorkerTable } from '../protocol.ts';
import { castOf } from './casts.ts';
import { type ColumnMapping, columnMapping, requireValid } from './column-faults.ts';
import { dropColumnsOfFile, requireFewTogether } from './column-limit.ts';
import { WorkerFailure } from './failure.ts';
import { rowsOf } from './rows.ts';
import { endMark, markUnrecorded } from './unrecorded-files.ts';
import { incoming, internalColumns, readUpload } from './upload.ts';

const maxDanglingExamples = 20;

/**
 * Stages files. The rows of each file stay in a table of the schema `files` with their file and place; the table of the
 * public name is made from them anew whenever a file comes or goes, without duplicates (graphs T-7, T-9).
 */
export class Staging {
  readonly #connection: DuckDBConnection;

  constructor(connection: DuckDBConnection) {
    this.#connection = connection;
  }

  async stage({ table, file }: Calls['stage']['ask']): Promise<StageReport> {
    await this.#run('CREATE SCHEMA IF NOT EXISTS files');
    // Instants without a zone are those of UTC (graphs Q-45).
    await this.#run("SET TimeZone = 'UTC'");
    const given = await readUpload(this.#connection, file);
    try {
      const mapping = columnMapping(table, given);
      const rows = await this.#count(`SELECT count(*) FROM ${incoming}`);
      const mapped = Object.values(mapping).map(({ name }) => name);
      const extra = given.filter(({ name }) => !mapped.includes(name));
      await requireValid(this.#connection, table, mapping, extra);
      const extraColumns = extra.map(({ name }) => name);
      await this.#atOnce(async () => {
        await this.#replaceRows(table, file, mapping, extraColumns);
        await this.#rebuild(table);
        await markUnrecorded(this.#connection, { id: file.id, table: table.name, rows });
      });
      const { rows: tableRows, dangling } = await this.#state(table);
      return { rows, tableRows, extraColumns, dangling };
    } catch (error) {
      throw withoutStatement(error);
    } finally {
      await this.#run(`DROP TABLE IF EXISTS ${incoming}`);
    }
  }

  async unstage({ table, fileId }: Calls['unstage']['ask']): Promise<{ removedRows: number; tableRows: number }> {
    if (!(await this.#exists('files', table.name))) {
      await endMark(this.#connection, fileId);
      return { removedRows: 0, tableRows: 0 };
    }
    const raw = rawTable(table);
    const removedRows = await this.#count(`SELECT count(*) FROM ${raw} WHERE _file_id = ${literal(fileId)}`);
    await this.#atOnce(async () => {
      await dropColumnsOfFile(this.#connection, table, { fileId });
      await this.#run(`DELETE FROM ${raw} WHERE _file_id = ${literal(fileId)}`);
      await this.#rebuild(table);
      await endMark(this.#connection, fileId);
    });
    return { removedRows, tableRows: await this.#count(`SELECT count(*) FROM ${publicTable(table.name)}`) };
  }

  async check(tables: readonly WorkerTable[]): Promise<readonly StagedTableState[]> {
    const states: StagedTableState[] = [];
    for (const table of tables) states.push(await this.#state(table));
    return states;
  }

  /** Writes the declared columns by position: of a relationship the keys of its ends first. */
  async parquet({ table, path }: Calls['parquet']['ask']): Promise<null> {
    const source = (await this.#exists('main', table.name)) ? publicTable(table.name) : undefined;
    const names = table.columns.map(({ name }) => (name === 'src' ? 'from' : name === 'dst' ? 'to' : name));
    const columns = table.columns.map(({ name, type }, index) => {
      const value = source === undefined ? `NULL::${duckdbType(type)}` : quoted(name);
      // Parquet has no whole numbers of 128 bits.
      const written = type === 'INT128' ? `CAST(${value} AS VARCHAR)` : value;
      return `${written} AS ${quoted(names[index] ?? name)}`;
    });
    const from = source === undefined ? 'WHERE false' : `FROM ${source}`;
    await this.#run(`COPY (SELECT ${columns.join(', ')} ${from}) TO ${literal(path)} (FORMAT parquet)`);
    return null;
  }

  async #replaceRows(
    table: WorkerTable,
    file: Calls['stage']['ask']['file'],
    mapping: ColumnMapping,
    extraColumns: readonly string[],
  ): Promise<void> {
    const raw = rawTable(table);
    const declared = table.columns.map(({ name, type }) => `${quoted(name)} ${duckdbType(type)}`);
    await this.#run(`CREATE TABLE IF NOT EXISTS ${raw}
      (_file_id VARCHAR, _file_position BIGINT, _file_row BIGINT, ${declared.join(', ')})`);
    await dropColumnsOfFile(this.#connection, table, { fileId: file.id, kept: extraColumns });
    await requireFewTogether(this.#connection, table, extraColumns);
    for (const name of extraColumns)
      await this.#run(`ALTER TABLE ${raw} ADD COLUMN IF NOT EXISTS ${quoted(name)} VARCHAR`);
    await this.#run(`DELETE FROM ${raw} WHERE _file_id = ${literal(file.id)}`);
    const values = [
      ...table.columns.flatMap(({ name, type }) => {
        const given = mapping[name];
        return given === undefined ? [] : [`${castOf(quoted(given.name), type, given.type)} AS ${quoted(name)}`];
      }),
      ...extraColumns.map((name) => `CAST(${quoted(name)} AS VARCHAR) AS ${quoted(name)}`),
    ];
    await this.#run(`INSERT INTO ${raw} BY NAME SELECT ${literal(file.id)} AS _file_id,
      ${file.position} AS _file_position, _file_row, ${values.join(', ')} FROM ${incoming}`);
  }

  async #rebuild(table: WorkerTable): Promise<void> {
    const properties = table.columns.map(({ name }) => quoted(name)).join(', ');
    const kept =
      table.kind === 'node'
        ? `PARTITION BY ${quoted(table.key)} ORDER BY _file_position DESC, _file_row DESC`
        : `PARTITION BY ${properties} ORDER BY _file_position, _file_row`;
    await this.#run(`CREATE OR REPLACE TABLE ${publicTable(table.name)} AS
      SELECT * EXCLUDE (${internalColumns.join(', ')}), _file_id FROM ${rawTable(table)}
      QUALIFY row_number() OVER (${kept}) = 1 ORDER BY _file_position, _file_row`);
  }

  async #state(table: WorkerTable): Promise<StagedTableState> {
    if (!(await this.#exists('main', table.name))) return { name: table.name, rows: 0, dangling: [] };
    const rows = await this.#count(`SELECT count(*) FROM ${publicTable(table.name)}`);
    const dangling: DanglingEnds[] = [];
    for (const { end, node, key } of table.ends) {
      const column = end === 'from' ? 'src' : 'dst';
      const found = (await this.#exists('main', node))
        ? `EXISTS (SELECT 1 FROM ${publicTable(node)} n WHERE n.${quoted(key)} = r.${column})`
        : 'false';
      const from = `FROM ${publicTable(table.name)} r WHERE NOT ${found}`;
      const count = await this.#count(`SELECT count(*) ${from}`);
      if (count === 0) continue;
      const examples = await this.#rows(
        `SELECT DISTINCT CAST(${column} AS VARCHAR) AS k ${from} ORDER BY k LIMIT ${maxDanglingExamples}`,
      );
      dangling.push({ end, node, count, examples: examples.map(([name]) => String(name)) });
    }
    return { name: table.name, rows, dangling };
  }

  async #exists(schema: string, name: string): Promise<boolean> {
    const found = await this.#count(`SELECT count(*) FROM duckdb_tables() WHERE database_name = current_database()
      AND schema_name = ${literal(schema)} AND table_name = ${literal(name)}`);
    return found > 0;
  }

  async #atOnce(work: () => Promise<void>): Promise<void> {
    await this.#run('BEGIN');
    try {
      await work();
      await this.#run('COMMIT');
    } catch (error) {
      // After an error that ended the transaction, the engine has nothing to undo.
      await this.#run('ROLLBACK').catch(() => undefined);
      throw error;
    }
  }

  async #run(statement: string): Promise<void> {
    await this.#connection.run(statement);
  }

  #rows(statement: string): Promise<readonly (readonly DuckDBValue[])[]> {
    return rowsOf(this.#connection, statement);
  }

  async #count(statement: string): Promise<number> {
    return Number((await this.#rows(statement))[0]?.[0] ?? 0);
  }
}

/** The statements that store a file are no matter of its owner, so the engine's text is kept without them (graphs I-6). */
function withoutStatement(error: unknown): unknown {
  if (error instanceof WorkerFailure || !(error instanceof Error)) return error;
  return new Error(error.message.split(/\n\s*LINE \d+:/)[0], { cause: error });
}

const rawTable = (table: WorkerTable): string => `files.${quoted(table.name)}`;
const publicTable = (name: string): string => `main.${quoted(name)}`;
