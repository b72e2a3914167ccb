import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api';
import type { ColumnFault, DanglingEnds, StagedTableState, StageReport } from '@pacioli/core/ports';
import { duckdbType, isScalar, literal, quoted, unionMembers } from '@pacioli/worker-process/duckdb-text';
import type { Calls, WorkerTable } from '../protocol.ts';
import { WorkerFailure } from './failure.ts';

const maxExamples = 5;
const maxDanglingExamples = 20;

/** Ends of relationships in files, with the names that files may use instead (graphs T-4). */
const synonyms: Readonly<Record<string, readonly string[]>> = { src: ['from', 'src'], dst: ['to', 'dst'] };

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
    const given = await this.#read(file);
    try {
      const mapping = columnMapping(table, given);
      await this.#requireValid(table, mapping);
      const rows = await this.#count('SELECT count(*) FROM incoming');
      const extraColumns = given.filter((name) => !Object.values(mapping).includes(name));
      await this.#run('BEGIN');
      try {
        await this.#replaceRows(table, file, mapping, extraColumns);
        await this.#rebuild(table);
        await this.#run('COMMIT');
      } catch (error) {
        await this.#run('ROLLBACK');
        throw error;
      }
      const { rows: tableRows, dangling } = await this.#state(table);
      return { rows, tableRows, extraColumns, dangling };
    } finally {
      await this.#run('DROP TABLE IF EXISTS incoming');
    }
  }

  async unstage({ table, fileId }: Calls['unstage']['ask']): Promise<{ removedRows: number; tableRows: number }> {
    if (!(await this.#exists('files', table.name))) return { removedRows: 0, tableRows: 0 };
    const raw = rawTable(table);
    const removedRows = await this.#count(`SELECT count(*) FROM ${raw} WHERE file_id = ${literal(fileId)}`);
    await this.#run('BEGIN');
    await this.#run(`DELETE FROM ${raw} WHERE file_id = ${literal(fileId)}`);
    await this.#rebuild(table);
    await this.#run('COMMIT');
    return { removedRows, tableRows: await this.#count(`SELECT count(*) FROM ${quoted(table.name)}`) };
  }

  async check(tables: readonly WorkerTable[]): Promise<readonly StagedTableState[]> {
    const states: StagedTableState[] = [];
    for (const table of tables) states.push(await this.#state(table));
    return states;
  }

  /** Writes the declared columns by position: of a relationship the keys of its ends first. */
  async parquet({ table, path }: Calls['parquet']['ask']): Promise<null> {
    const source = (await this.#exists('main', table.name)) ? quoted(table.name) : undefined;
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

  /** Reads a file into the temporary table `incoming` and returns the names of its columns. */
  async #read({ format, path }: Calls['stage']['ask']['file']): Promise<readonly string[]> {
    try {
      const source =
        format === 'csv'
          ? `read_csv(${literal(path)}, header = true, all_varchar = true, delim = ',', quote = '"', escape = '"', nullstr = '')`
          : format === 'json'
            ? await this.#jsonSource(path)
            : `read_parquet(${literal(path)})`;
      await this.#run(`CREATE OR REPLACE TEMP TABLE incoming AS
        SELECT row_number() OVER () AS _file_row, * FROM ${source}`);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new WorkerFailure('unreadable-file', `The file cannot be read as ${format}. ${shortened(reason, path)}`);
    }
    const rows = await this.#rows(
      "SELECT column_name FROM duckdb_columns() WHERE table_name = 'incoming' ORDER BY column_index",
    );
    return rows.map(([name]) => String(name)).filter((name) => name !== '_file_row');
  }

  /** Scalars are read as text, so that no digit is lost before the cast to the declared type. */
  async #jsonSource(path: string): Promise<string> {
    const read = `read_json(${literal(path)}, sample_size = -1, maximum_object_size = 67108864)`;
    const described = await this.#rows(`DESCRIBE SELECT * FROM ${read}`);
    const columns = described.map(([name, type]) => {
      // A column with numbers and texts is described as JSON; as JSON, its texts would have quotes.
      const isNested = /[[(]|^MAP/.test(String(type));
      return `${literal(String(name))}: ${literal(isNested ? 'JSON' : 'VARCHAR')}`;
    });
    return `read_json(${literal(path)}, columns = {${columns.join(', ')}}, maximum_object_size = 67108864)`;
  }

  /** Throws with all faults of all columns (graphs T-6). */
  async #requireValid(table: WorkerTable, mapping: ColumnMapping): Promise<void> {
    const faults: ColumnFault[] = [];
    for (const column of table.columns) {
      const given = mapping[column.name];
      if (given === undefined) {
        if (column.isRequired) faults.push({ column: column.name, reason: 'missing-column', count: 1, examples: [] });
        continue;
      }
      const value = quoted(given);
      await this.#addFault(
        faults,
        column.name,
        'cast',
        `${value} IS NOT NULL AND ${cast(value, column.type)} IS NULL`,
        value,
      );
      if (column.isRequired) await this.#addFault(faults, column.name, 'null', `${value} IS NULL`, value);
    }
    if (faults.length === 0) return;
    const [first] = faults;
    const example = first?.examples[0];
    const where = example === undefined ? '' : ` (first in row ${example.row}: ${example.value ?? 'no value'})`;
    const message = faults.map((fault) => `${fault.column}: ${meaningOf(fault)}`).join('; ');
    throw new WorkerFailure('rejected-rows', `${table.name}: ${message}${where}.`, faults);
  }

  async #addFault(
    faults: ColumnFault[],
    column: string,
    reason: ColumnFault['reason'],
    condition: string,
    value: string,
  ): Promise<void> {
    const count = await this.#count(`SELECT count(*) FROM incoming WHERE ${condition}`);
    if (count === 0) return;
    const rows = await this.#rows(`SELECT _file_row, CAST(${value} AS VARCHAR) FROM incoming WHERE ${condition}
      ORDER BY _file_row LIMIT ${maxExamples}`);
    const examples = rows.map(([row, text]) => ({
      row: Number(row),
      value: text === null ? null : String(text).slice(0, 200),
    }));
    faults.push({ column, reason, count, examples });
  }

  async #replaceRows(
    table: WorkerTable,
    file: Calls['stage']['ask']['file'],
    mapping: ColumnMapping,
    extraColumns: readonly string[],
  ): Promise<void> {
    const raw = rawTable(table);
    const declared = table.columns.map(({ name, type }) => `${quoted(name)} ${duckdbType(type)}`);
    await this.#run(
      `CREATE TABLE IF NOT EXISTS ${raw} (file_id VARCHAR, file_position BIGINT, file_row BIGINT, ${declared.join(', ')})`,
    );
    for (const name of extraColumns)
      await this.#run(`ALTER TABLE ${raw} ADD COLUMN IF NOT EXISTS ${quoted(name)} VARCHAR`);
    await this.#run(`DELETE FROM ${raw} WHERE file_id = ${literal(file.id)}`);
    const values = [
      ...table.columns.flatMap(({ name, type }) => {
        const given = mapping[name];
        return given === undefined ? [] : [`${cast(quoted(given), type)} AS ${quoted(name)}`];
      }),
      ...extraColumns.map((name) => `CAST(${quoted(name)} AS VARCHAR) AS ${quoted(name)}`),
    ];
    await this.#run(`INSERT INTO ${raw} BY NAME SELECT ${literal(file.id)} AS file_id, ${file.position} AS file_position,
      _file_row AS file_row, ${values.join(', ')} FROM incoming`);
  }

  async #rebuild(table: WorkerTable): Promise<void> {
    const properties = table.columns.map(({ name }) => quoted(name)).join(', ');
    const kept =
      table.kind === 'node'
        ? `PARTITION BY ${quoted(table.key)} ORDER BY file_position DESC, file_row DESC`
        : `PARTITION BY ${properties} ORDER BY file_position, file_row`;
    await this.#run(`CREATE OR REPLACE TABLE ${quoted(table.name)} AS
      SELECT * EXCLUDE (file_id, file_position, file_row), file_id FROM ${rawTable(table)}
      QUALIFY row_number() OVER (${kept}) = 1 ORDER BY file_position, file_row`);
  }

  async #state(table: WorkerTable): Promise<StagedTableState> {
    if (!(await this.#exists('main', table.name))) return { name: table.name, rows: 0, dangling: [] };
    const rows = await this.#count(`SELECT count(*) FROM ${quoted(table.name)}`);
    const dangling: DanglingEnds[] = [];
    for (const { end, node, key } of table.ends) {
      const column = end === 'from' ? 'src' : 'dst';
      const found = (await this.#exists('main', node))
        ? `EXISTS (SELECT 1 FROM ${quoted(node)} n WHERE n.${quoted(key)} = r.${column})`
        : 'false';
      const from = `FROM ${quoted(table.name)} r WHERE NOT ${found}`;
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
    const found = await this.#count(`SELECT count(*) FROM duckdb_tables()
      WHERE schema_name = ${literal(schema)} AND table_name = ${literal(name)}`);
    return found > 0;
  }

  async #run(statement: string): Promise<void> {
    await this.#connection.run(statement);
  }

  async #rows(statement: string): Promise<readonly (readonly DuckDBValue[])[]> {
    return (await this.#connection.runAndReadAll(statement)).getRows();
  }

  async #count(statement: string): Promise<number> {
    return Number((await this.#rows(statement))[0]?.[0] ?? 0);
  }
}

/** The column of the file for each declared one that it has. */
type ColumnMapping = Readonly<Record<string, string>>;

/** Columns match by name; names that differ in case only are the same. */
function columnMapping(table: WorkerTable, given: readonly string[]): ColumnMapping {
  const byName = new Map(given.map((name) => [name.toLowerCase(), name]));
  const mapping: Record<string, string> = {};
  for (const { name } of table.columns) {
    const names = table.kind === 'relationship' ? (synonyms[name] ?? [name]) : [name];
    const found = names.map((each) => byName.get(each.toLowerCase())).find((each) => each !== undefined);
    if (found !== undefined) mapping[name] = found;
  }
  return mapping;
}

const rawTable = (table: WorkerTable): string => `files.${quoted(table.name)}`;

/** Null where the value does not have the type. Text of lists and records is JSON. */
function cast(value: string, type: string): string {
  const members = unionMembers(type);
  if (members !== undefined) {
    // The graph engine reads lists and records of a union in a notation of its own, which no file has.
    const fits = members.filter(isScalar).map((member) => `${cast(value, member)} IS NOT NULL`);
    return `CASE WHEN ${fits.join(' OR ') || 'false'} THEN CAST(${value} AS VARCHAR) END`;
  }
  const target = duckdbType(type);
  if (!isScalar(type)) return `TRY_CAST(TRY_CAST(${value} AS JSON) AS ${target})`;
  const plain = `TRY_CAST(${value} AS ${target})`;
  // DuckDB would round a fraction.
  const number = `TRY_CAST(${value} AS DOUBLE)`;
  return /^U?INT\d+$/.test(type) ? `CASE WHEN ${number} = trunc(${number}) THEN ${plain} END` : plain;
}

function shortened(message: string, path: string): string {
  return message.replaceAll(path, 'the file').replaceAll(/\s+/g, ' ').slice(0, 500);
}

function meaningOf({ reason, count }: ColumnFault): string {
  if (reason === 'missing-column') return 'the file has no such column';
  const [what, many] =
    reason === 'cast'
      ? ['value of another type', 'values of another type']
      : ['row without a value', 'rows without a value'];
  return `${count} ${count === 1 ? what : many}`;
}
