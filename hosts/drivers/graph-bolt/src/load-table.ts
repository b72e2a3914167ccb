import {
  type AnalyticalNode,
  type AnalyticalRelationship,
  type AnalyticalRow,
  type BulkSource,
  type CatalogTable,
  GraphStoreError,
  type LoadOptions,
  type LoadReport,
  type RejectReason,
  rejectsText,
} from '@pacioli/core/ports';
import type { Session } from 'neo4j-driver';
import { shortKey } from './declared-ranges.ts';
import { maxKeyBytes } from './key-length.ts';
import { Rejects } from './rejects.ts';
import { quoted } from './schema-statements.ts';
import { badValue, storedValue } from './stored-values.ts';
import { createNodes, createRelationships, endOf, existingKeys, type StoredRow } from './table-rows.ts';

type Table = AnalyticalNode | AnalyticalRelationship;

interface LoadRequest {
  readonly session: Session;
  readonly tables: readonly CatalogTable[];
  readonly table: Table;
  readonly source: BulkSource;
  readonly options: LoadOptions;
  readonly rowsPerBatch: number;
}

/** A row with its key for reports. */
interface CheckedRow {
  readonly row: StoredRow;
  readonly label: string;
}

const removedPerBatch = 10_000;

/** Loads one table in bounded transactions. A load that fails leaves an empty table empty (graphs M-24, E-33). */
export async function loadTable(request: LoadRequest): Promise<LoadReport> {
  const { session, source, options, table, rowsPerBatch } = request;
  if (source.kind === 'parquet')
    throw new GraphStoreError('incompatible', 'This graph engine reads no parquet files: load rows.');
  const stored = tableOf(request);
  const wasEmpty = (await countOf(session, stored)) === 0;
  const rejects = new Rejects();
  let [rowsIn, rowsLoaded] = [0, 0];
  try {
    for await (const batch of source.batches) {
      for (let at = 0; at < batch.length; at += rowsPerBatch) {
        if (options.signal.aborted) throw new GraphStoreError('cancelled', 'The load was cancelled.');
        const rows = batch.slice(at, at + rowsPerBatch);
        rowsIn += rows.length;
        const checked = rows.flatMap((row) => checkedRow(table, row, rejects));
        // Loading continues after one reject too many, so that the report counts all of them.
        rowsLoaded += await (table.kind === 'node'
          ? loadNodes(request, stored, checked, rejects)
          : loadRelationships(request, stored, checked, rejects));
      }
    }
    if (rejects.total > options.maxRejects) {
      throw new GraphStoreError('rejected-rows', rejectedRows(request, rejects), { rejects: rejects.list() });
    }
    return { rows_in: rowsIn, rows_loaded: rowsLoaded, rejects: rejects.list() };
  } catch (error) {
    if (wasEmpty) await removeRows(session, stored);
    throw error;
  }
}

function tableOf({ tables, table }: LoadRequest): CatalogTable {
  const found = tables.find(({ kind, name }) => kind === table.kind && name === table.name);
  if (found === undefined) throw new GraphStoreError('catalog', `This graph has no table ${table.name}.`);
  return found;
}

function checkedRow(table: Table, given: AnalyticalRow, rejects: Rejects): readonly CheckedRow[] {
  const values = table.columns.map((column) => storedValue(given[column.name], column));
  const keys = table.kind === 'node' ? [given[table.key]] : [given['from'], given['to']];
  const isKeyless = keys.some((key) => key === null || key === undefined);
  const label = isKeyless ? '(no key)' : keys.map(String).join(' -> ');
  const longest = longestKeyBytes(table, values);
  if (longest > maxKeyBytes) {
    rejects.addLongKey(`${shortKey(label)} (${longest} bytes)`);
    return [];
  }
  const fault: RejectReason | undefined = isKeyless ? 'null_key' : values.includes(badValue) ? 'cast' : undefined;
  if (fault !== undefined) {
    rejects.add(fault, label);
    return [];
  }
  const properties: Record<string, unknown> = {};
  table.columns.forEach(({ name }, index) => {
    if (values[index] !== null) properties[name] = values[index];
  });
  if (table.kind === 'node') return [{ label, row: { properties } }];
  const { from, to, ...rest } = properties;
  return [{ label, row: { from, to, properties: rest } }];
}

/** The index of a key takes no longer text; a relationship to such a key has no node to refer to. */
function longestKeyBytes(table: Table, values: readonly unknown[]): number {
  if (table.kind !== 'node') return 0;
  const key = values[table.columns.findIndex(({ name }) => name === table.key)];
  return typeof key === 'string' ? Buffer.byteLength(key) : 0;
}

/** Describes the rejects of a load. */
function rejectedRows({ table }: LoadRequest, rejects: Rejects): string {
  const text = `${table.name}: ${rejectsText(rejects.list())}.`;
  if (rejects.longKeys === 0 || table.kind !== 'node') return text;
  const rows = rejects.longKeys === 1 ? '1 row has' : `${rejects.longKeys} rows have`;
  return `${text} ${rows} a text in ${table.name}.${table.key} that is longer than the ${maxKeyBytes} bytes of a key.`;
}

/** Keys are unique by a constraint, so a batch is checked against the graph only if it collides with it. */
async function loadNodes(
  { session, table }: LoadRequest,
  stored: CatalogTable,
  rows: readonly CheckedRow[],
  rejects: Rejects,
): Promise<number> {
  const key = table.kind === 'node' ? table.key : '';
  // One instant has several texts, and one stored value.
  const keyOf = ({ row }: CheckedRow): string => String(row.properties[key]);
  const seen = new Set<string>();
  const distinct = rows.filter((row) => {
    const isFirst = !seen.has(keyOf(row));
    if (!isFirst) rejects.add('duplicate', row.label);
    seen.add(keyOf(row));
    return isFirst;
  });
  try {
    return await createNodes(
      session,
      stored,
      distinct.map(({ row }) => row),
    );
  } catch (error) {
    if (!isDuplicate(error)) throw error;
  }
  const keys = distinct.map(({ row }) => row.properties[key]);
  const existing = await existingKeys(session, { name: stored.name, key }, keys);
  const fresh = distinct.filter((row) => !existing.has(keyOf(row)));
  for (const row of distinct) if (existing.has(keyOf(row))) rejects.add('duplicate', row.label);
  return createNodes(
    session,
    stored,
    fresh.map(({ row }) => row),
  );
}

const isDuplicate = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /ConstraintValidationFailed/.test(String(error.code));

async function loadRelationships(
  { session, tables }: LoadRequest,
  stored: CatalogTable,
  rows: readonly CheckedRow[],
  rejects: Rejects,
): Promise<number> {
  if (rows.length === 0) return 0;
  const created = await createRelationships(
    session,
    stored,
    tables,
    rows.map(({ row }) => row),
  );
  if (created === rows.length) return created;
  const [from, to] = [endOf(stored.from, tables), endOf(stored.to, tables)];
  const fromKeys = await existingKeys(
    session,
    from,
    rows.map(({ row }) => row.from),
  );
  const toKeys = await existingKeys(
    session,
    to,
    rows.map(({ row }) => row.to),
  );
  for (const { row, label } of rows)
    if (!fromKeys.has(String(row.from)) || !toKeys.has(String(row.to))) rejects.add('dangling', label);
  return created;
}

async function countOf(session: Session, table: CatalogTable): Promise<number> {
  const pattern = table.kind === 'node' ? `(x:${quoted(table.name)})` : `()-[x:${quoted(table.name)}]->()`;
  const { records } = await session.executeRead((tx) => tx.run(`MATCH ${pattern} RETURN count(x) AS total`));
  return Number(records[0]?.get('total') ?? 0);
}

async function removeRows(session: Session, table: CatalogTable): Promise<void> {
  const pattern = table.kind === 'node' ? `(x:${quoted(table.name)})` : `()-[x:${quoted(table.name)}]->()`;
  const statement = `MATCH ${pattern} WITH x LIMIT ${removedPerBatch} DELETE x RETURN count(*) AS removed`;
  for (let removed = 1; removed > 0; ) {
    const { records } = await session.executeWrite((tx) => tx.run(statement));
    removed = Number(records[0]?.get('removed') ?? 0);
  }
}
