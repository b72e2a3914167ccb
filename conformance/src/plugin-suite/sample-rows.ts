import { type RawBuilder, type Scope, type Store, sql, type TableAccess } from '@pacioli/core';
import type { ColumnShape, ReferenceShape, TableShape } from './table-shapes.ts';

/** Values of columns for which no generated value passes the table's checks. */
export type SampleRow = Readonly<Record<string, unknown>>;

/** By table: one row, or several that pass its checks only together, such as the two sides of an entry. */
export type SampleRows = Readonly<Record<string, SampleRow | readonly SampleRow[]>>;

interface Parts {
  readonly store: Store;
  readonly shapes: readonly TableShape[];
  readonly samples: SampleRows;
  readonly accessOf: (table: string) => TableAccess;
}

type Row = Readonly<Record<string, unknown>>;

/** A row as read from the database. */
interface Written {
  readonly row: Row;
}

/** Writes sample rows into a table for each graph, after those of the referenced tables. */
export class RowWriter {
  readonly #parts: Parts;
  readonly #written = new Map<string, Promise<readonly Row[]>>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The scope in which the rows of a graph are written. */
  scopeOf(table: string, graphId: string): Scope {
    return this.#parts.accessOf(table).rows === 'kernel' ? 'kernel' : { graphId };
  }

  /** Ensures that the table has a row of the graph; a trigger may have already written one. */
  async write(table: string, graphId: string): Promise<readonly Row[]> {
    const key = `${table} ${this.scopeOf(table, graphId) === 'kernel' ? '' : graphId}`;
    let rows = this.#written.get(key);
    if (rows === undefined) {
      rows = this.#writeNow(table, graphId);
      this.#written.set(key, rows);
    }
    return rows;
  }

  async #writeNow(table: string, graphId: string): Promise<readonly Row[]> {
    const { store } = this.#parts;
    const scope = this.scopeOf(table, graphId);
    const where = scope === 'kernel' ? sql`true` : sql`graph_id = ${graphId}`;
    const find = sql<Written>`SELECT to_jsonb(t) AS row FROM ${sql.table(table)} AS t WHERE ${where} LIMIT 1`;
    const statement = await this.statementFor(table, graphId);
    try {
      return await store.transaction(scope, async (tx) => {
        const there = await tx.query(find);
        return (there.length > 0 ? there : await tx.query(statement)).map(({ row }) => row);
      });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const cause = error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : '';
      throw new Error(
        `${table} accepts no generated row: ${reason}${cause}. Give columns that its checks and triggers accept: ` +
          `describePlugin(plugin, { sampleRows: { ${table}: { … } } })`,
        { cause: error },
      );
    }
  }

  /** Builds the INSERT of the rows; the rows they refer to must already exist. */
  async statementFor(table: string, graphId: string): Promise<RawBuilder<Written>> {
    const shape = this.#parts.shapes.find(({ name }) => name === table);
    if (shape === undefined) throw new Error(`it refers to ${table}, which is not a table of the plugin`);
    const given = this.#parts.samples[table] ?? {};
    const rows: Row[] = [];
    for (const sample of Array.isArray(given) ? (given as readonly SampleRow[]) : [given as SampleRow])
      rows.push({ ...(await this.#generic(shape, graphId, sample)), ...sample });
    const columns = shape.columns.filter(({ name }) => rows.some((row) => row[name] !== undefined));
    const values = rows.map((row) => sql`(${sql.join(columns.map((column) => literalOf(column, row[column.name])))})`);
    const names = columns.map(({ name }) => sql.ref(name));
    return sql<Written>`INSERT INTO ${sql.table(table)} (${sql.join(names)}) OVERRIDING SYSTEM VALUE
      VALUES ${sql.join(values)} RETURNING to_jsonb(${sql.table(table)}) AS row`;
  }

  async #generic(shape: TableShape, graphId: string, sample: SampleRow): Promise<Row> {
    const row: Record<string, unknown> = {};
    for (const column of shape.columns) {
      if (column.name === 'graph_id') row['graph_id'] = graphId;
      else if (column.is_required && !(column.name in sample)) row[column.name] = genericValue(column, shape.checks);
    }
    for (const reference of shape.references) {
      if (needsTarget(reference, shape, { ...row, ...sample }))
        Object.assign(row, await this.#targetOf(reference, graphId));
    }
    return row;
  }

  /** The foreign key values that refer to the row written into the other table. */
  async #targetOf({ target, columns, target_columns }: ReferenceShape, graphId: string): Promise<Row> {
    const [row] = await this.write(target, graphId);
    return Object.fromEntries(columns.map((column, index) => [column, row?.[target_columns[index] ?? '']]));
  }
}

function needsTarget({ target, columns }: ReferenceShape, shape: TableShape, row: Row): boolean {
  const isGiven = columns.every((column) => row[column] !== undefined && row[column] !== null);
  return target !== shape.name && isGiven;
}

function literalOf(column: ColumnShape, value: unknown): RawBuilder<unknown> {
  if (value === undefined) return sql`DEFAULT`;
  const text =
    typeof value === 'object' && value !== null ? JSON.stringify(value) : value === null ? null : String(value);
  return sql`${text}::${sql.raw(column.type)}`;
}

const sampleOfType: Readonly<Record<string, string>> = {
  boolean: 'false',
  bytea: '\\x00',
  date: '2026-01-01',
  jsonb: '{}',
  json: '{}',
  uuid: '00000000-0000-4000-8000-000000000000',
  'timestamp with time zone': '2026-01-01T00:00:00Z',
  'timestamp without time zone': '2026-01-01T00:00:00',
  'time without time zone': '12:00',
  interval: '1 day',
};

function genericValue(column: ColumnShape, checks: readonly string[]): string {
  const [label] = column.labels;
  if (label !== undefined) return label;
  if (column.is_array) return '{}';
  const listed = firstListed(column.name, checks);
  if (listed !== undefined) return listed;
  const known = sampleOfType[column.type];
  if (known !== undefined) return known;
  return /^(smallint|integer|bigint|numeric|real|double)/.test(column.type) ? '1' : 'sample';
}

/** The first value of a check such as `status IN ('open', 'closed')`, as PostgreSQL prints it. */
function firstListed(column: string, checks: readonly string[]): string | undefined {
  const list = new RegExp(`\\(${column} = (?:ANY \\(+ARRAY\\[)?'((?:[^']|'')*)'`);
  const found = checks.map((check) => list.exec(check)?.[1]).find((value) => value !== undefined);
  return found?.replaceAll("''", "'");
}
