import { rm } from 'node:fs/promises';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { type LoadReject, type RejectReason, rejectsText } from '@pacioli/core/ports';
import { duckdbType, literal, quoted, unionMembers } from '@pacioli/worker-process/duckdb-text';
import type { Calls, LoadOutcome, LoadTable } from '../protocol.ts';
import type { Engine } from './engine.ts';
import { WorkerFailure } from './failure.ts';
import { instant, unloadable } from './unloadable.ts';

const maxExamples = 20;
/** The stage allocates sixteen times the size of the longest line that it accepts. */
const defaultLineBytes = 2 * 2 ** 20;

/** The form of `rowTextWriter`: text is always quoted, so that an empty field is null and `""` the empty text. */
const csv = `header = false, auto_detect = false, delim = ',', quote = '"', escape = '"', new_line = '\\n', nullstr = '',
  allow_quoted_nulls = false`;

interface Staging {
  readonly instance: DuckDBInstance;
  /** Takes rows, while `checking` copies the table before them. */
  readonly filling: DuckDBConnection;
  readonly checking: DuckDBConnection;
}

/** A table whose rows are being staged, in a table of the stage of their own. */
interface Load {
  readonly table: LoadTable;
  readonly incoming: string;
  isCancelled: boolean;
}

/** Stages tables in DuckDB, checks their keys, and passes them to the engine as Parquet. */
export class Loader {
  readonly #engine: Engine;
  readonly #path: string;
  readonly #loads = new Map<number, Load>();
  #started = 0;
  #staging: Promise<Staging> | undefined;

  constructor(engine: Engine, databasePath: string) {
    this.#engine = engine;
    this.#path = `${databasePath}.stage`;
  }

  async start(table: LoadTable): Promise<{ load: number }> {
    const { filling } = await this.#open();
    const load = ++this.#started;
    const incoming = `incoming_${load}`;
    const columns = table.columns.map(({ name, type }) => `${quoted(name)} ${stagedSql(type)}`);
    await filling.run(`CREATE TABLE ${incoming} (${columns.join(', ')})`);
    this.#loads.set(load, { table, incoming, isCancelled: false });
    return { load };
  }

  async text({ load, path, maxLineBytes }: Calls['loadText']['ask']): Promise<null> {
    const { table, incoming } = this.#loadOf(load);
    const { filling } = await this.#open();
    const columns = table.columns.map(({ name, type }) => `${literal(name)}: ${literal(stagedSql(type))}`);
    const limits =
      maxLineBytes > defaultLineBytes ? `, max_line_size = ${maxLineBytes}, buffer_size = ${maxLineBytes}` : '';
    await filling.run(
      `INSERT INTO ${incoming} SELECT * FROM read_csv(${literal(path)}, columns = {${columns.join(', ')}}, ${csv}${limits})`,
    );
    return null;
  }

  async parquet({ load, path }: Calls['loadParquet']['ask']): Promise<null> {
    const { table, incoming } = this.#loadOf(load);
    const { filling } = await this.#open();
    const columns = table.columns.map(({ name, type }) => `CAST(${quoted(name)} AS ${stagedSql(type)})`);
    await filling.run(`INSERT INTO ${incoming} SELECT ${columns.join(', ')} FROM read_parquet(${literal(path)})`);
    return null;
  }

  /** Checks the staged rows, copies the valid ones into the graph and counts the loaded rows. */
  async end(load: number): Promise<LoadOutcome> {
    const current = this.#loadOf(load);
    const { table, incoming } = current;
    const staging = (await this.#open()).checking;
    const rejects = await this.#rejects(staging, current);
    const rowsIn = await count(staging, `SELECT count(*) FROM ${incoming}`);
    const rejected = rejects.reduce((sum, reject) => sum + reject.count, 0);
    if (rejected > table.maxRejects) {
      throw new WorkerFailure('rejected-rows', `${table.name}: ${rejectsText(rejects)}.`, rejects);
    }
    const chunks = Math.max(1, Math.ceil((rowsIn - rejected) / table.chunkRows));
    // Graphs of small books have many empty tables, and a copy of nothing takes as long as one of a few rows.
    const rowsLoaded = rowsIn > rejected ? await this.#copyAll(staging, current, chunks) : 0;
    if (table.kind === 'node')
      await staging.run(
        `CREATE OR REPLACE TABLE ${keysOf(table.name)} AS SELECT ${quoted(table.key)} AS key FROM good`,
      );
    await staging.run(`DROP VIEW good; DROP TABLE ${incoming}`);
    this.#loads.delete(load);
    return { rows_in: rowsIn, rows_loaded: rowsLoaded, rejects, chunks };
  }

  /** Copies the valid rows of a load and returns how many the table of the graph gained. */
  async #copyAll(staging: DuckDBConnection, load: Load, chunks: number): Promise<number> {
    const before = await this.#graphRows(load.table);
    for (let chunk = 0; chunk < chunks; chunk += 1) {
      if (load.isCancelled) throw new WorkerFailure('cancelled', 'The load was canceled.');
      await this.#copy(staging, load.table, { chunk, chunks });
    }
    return (await this.#graphRows(load.table)) - before;
  }

  /** Stops the copying of a load before its next chunk. */
  cancel(load: number): void {
    const current = this.#loads.get(load);
    if (current !== undefined) current.isCancelled = true;
  }

  async close(): Promise<void> {
    const staging = await this.#staging?.catch(() => undefined);
    staging?.filling.closeSync();
    staging?.checking.closeSync();
    staging?.instance.closeSync();
    await rm(this.#path, { force: true });
    await rm(`${this.#path}.wal`, { force: true });
  }

  #open(): Promise<Staging> {
    this.#staging ??= openStage(this.#path);
    return this.#staging;
  }

  #loadOf(load: number): Load {
    const found = this.#loads.get(load);
    if (found === undefined) throw new WorkerFailure('engine', 'This table is not being loaded.');
    return found;
  }

  /** Creates the view `good` and returns the rejects (graphs M-24). A row with two faults counts for the first. */
  async #rejects(staging: DuckDBConnection, { table, incoming }: Load): Promise<LoadReject[]> {
    const reasons: (readonly [RejectReason, string])[] = [
      [
        'null_key',
        keyColumns(table)
          .map((name) => `${quoted(name)} IS NULL`)
          .join(' OR '),
      ],
    ];
    const bad = table.columns.flatMap((column) => unloadable(column) ?? []);
    if (bad.length > 0) reasons.push(['cast', bad.join(' OR ')]);
    if (table.kind === 'node') {
      reasons.push(['duplicate', `rowid NOT IN (SELECT min(rowid) FROM ${incoming} GROUP BY ${quoted(table.key)})`]);
    } else {
      const [from, to] = table.columns.map(({ type }) => stagedSql(type));
      await staging.run(`CREATE TABLE IF NOT EXISTS ${keysOf(table.from ?? '')} (key ${from ?? 'VARCHAR'});
        CREATE TABLE IF NOT EXISTS ${keysOf(table.to ?? '')} (key ${to ?? 'VARCHAR'})`);
      reasons.push([
        'dangling',
        `NOT EXISTS (SELECT 1 FROM ${keysOf(table.from ?? '')} k WHERE k.key = ${incoming}."from")
          OR NOT EXISTS (SELECT 1 FROM ${keysOf(table.to ?? '')} k WHERE k.key = ${incoming}."to")`,
      ]);
    }
    const verdict = reasons.map(([reason, condition]) => `WHEN ${condition} THEN ${literal(reason)}`).join(' ');
    const key = table.kind === 'node' ? `CAST(${quoted(table.key)} AS VARCHAR)` : `"from" || ' -> ' || "to"`;
    await staging.run(`CREATE OR REPLACE TABLE rejected AS SELECT id, reason, key FROM (
      SELECT rowid AS id, CASE ${verdict} END AS reason, ${key} AS key FROM ${incoming}) WHERE reason IS NOT NULL`);
    await staging.run(`CREATE OR REPLACE VIEW good AS SELECT * FROM ${incoming}
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

  /**
   * Copies the rows into the graph, or one hash partition of their keys. The engine holds in memory what a transaction
   * adds, so a large table is copied in several, with a checkpoint after each (graphs M-11).
   */
  async #copy(
    staging: DuckDBConnection,
    table: LoadTable,
    { chunk, chunks }: { readonly chunk: number; readonly chunks: number },
  ): Promise<void> {
    const chunkCondition =
      chunks === 1 ? '' : `WHERE hash(${keyColumns(table).map(quoted).join(', ')}) % ${chunks} = ${chunk}`;
    const file = `${this.#path}.parquet`;
    const columns = table.columns.map(
      ({ name, type }) =>
        `${type === 'TIMESTAMP' ? instant(quoted(name)) : `CAST(${quoted(name)} AS ${writtenType(type)})`} AS ${quoted(name)}`,
    );
    const read = table.columns.map(({ name, type }) =>
      isWrittenAsText(type) ? `cast(\`${name}\`, '${type}')` : `\`${name}\``,
    );
    try {
      // The engine reads version 1 only: strings and doubles of version 2 arrive corrupted.
      await staging.run(
        `COPY (SELECT ${columns.join(', ')} FROM good ${chunkCondition}) TO ${literal(file)} (FORMAT parquet, PARQUET_VERSION V1)`,
      );
      const hasCasts = read.some((value) => value.startsWith('cast('));
      const source = hasCasts ? `(LOAD FROM ${engineLiteral(file)} RETURN ${read.join(', ')})` : engineLiteral(file);
      const checkpoint = chunks === 1 ? [] : ['CHECKPOINT'];
      await this.#engine.execute([`COPY \`${table.name}\` FROM ${source}`, ...checkpoint]);
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

async function openStage(path: string): Promise<Staging> {
  await rm(path, { force: true });
  const instance = await DuckDBInstance.create(path, { memory_limit: '256MB', threads: '2' });
  return { instance, filling: await instance.connect(), checking: await instance.connect() };
}

/** The type of a staged column: dates and instants are text, so that an invalid one is counted, not thrown. */
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

const keyColumns = (table: LoadTable): readonly string[] => (table.kind === 'node' ? [table.key] : ['from', 'to']);
const keysOf = (node: string): string => quoted(`keys_${node}`);
const engineLiteral = (path: string): string => `'${path.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

async function count(staging: DuckDBConnection, statement: string): Promise<number> {
  const reader = await staging.runAndReadAll(statement);
  return Number(reader.getRows()[0]?.[0] ?? 0);
}
