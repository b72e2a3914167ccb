import { type CatalogTable, type GraphStats, GraphStoreError } from '@pacioli/core/ports';
import type { TableBatch } from './copy-rows.ts';
import { badValue, isFloatType, isWholeType, storedValue } from './stored-values.ts';
import type { StoredRow } from './table-rows.ts';
import { ValueReader } from './values.ts';

/**
 * Text lines of JSON: the declared tables, then rows as `[table, values]` with the values in the order of the columns (a
 * relationship begins with the keys of its ends), then the numbers of rows. A missing last line shows a cut file.
 */
export const snapshotFormat = 'pacioli-graph-rows/1';

export type RowCounts = Pick<GraphStats, 'nodes' | 'relationships'>;

/** JSON can represent negative zero, but `JSON.stringify` writes it as 0. */
const negativeZero = '-0';
const charactersPerChunk = 65_536;
const reader = new ValueReader([]);

export async function* writeSnapshot(
  tables: readonly CatalogTable[],
  batches: AsyncIterable<TableBatch>,
  counts: RowCounts,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  let text = `${JSON.stringify({ format: snapshotFormat, tables })}\n`;
  for await (const { table, rows } of batches) {
    const position = tables.indexOf(table);
    for (const row of rows) {
      text += `${JSON.stringify([position, ...columnsOf(table, tables).map((column) => written(row, column))])}\n`;
      if (text.length < charactersPerChunk) continue;
      yield encoder.encode(text);
      text = '';
    }
  }
  yield encoder.encode(`${text}${JSON.stringify({ end: counts })}\n`);
}

/** What a snapshot contains: its tables first, then its rows. */
export async function readSnapshot(
  chunks: AsyncIterable<Uint8Array>,
): Promise<{ readonly tables: readonly CatalogTable[]; batches(rowsPerBatch: number): AsyncGenerator<TableBatch> }> {
  const lines = linesOf(chunks);
  const first = await lines.next();
  const head = first.done === true ? undefined : (parsed(first.value) as { format?: unknown; tables?: unknown });
  if (head?.format !== snapshotFormat || !Array.isArray(head.tables)) throw damaged();
  const tables = head.tables as readonly CatalogTable[]; // Of this format, which only `writeSnapshot` writes.
  return { tables, batches: (rowsPerBatch) => batchesOf(lines, tables, rowsPerBatch) };
}

async function* batchesOf(
  lines: AsyncGenerator<string>,
  tables: readonly CatalogTable[],
  rowsPerBatch: number,
): AsyncGenerator<TableBatch> {
  const counts = new Map<CatalogTable, number>();
  let current: { readonly table: CatalogTable; readonly rows: StoredRow[] } | undefined;
  for await (const line of lines) {
    const content = parsed(line);
    if (!Array.isArray(content)) {
      if (current !== undefined) yield current;
      return requireCounts(content, tables, counts);
    }
    const [position, ...values] = content as readonly unknown[];
    const table = tables[Number(position)];
    if (table === undefined) throw damaged();
    if (current !== undefined && (current.table !== table || current.rows.length >= rowsPerBatch)) {
      yield current;
      current = undefined;
    }
    current ??= { table, rows: [] };
    current.rows.push(readRow(table, tables, values));
    counts.set(table, (counts.get(table) ?? 0) + 1);
  }
  throw damaged();
}

function requireCounts(end: unknown, tables: readonly CatalogTable[], counts: ReadonlyMap<CatalogTable, number>): void {
  const { end: expected } = (end ?? {}) as { end?: Partial<RowCounts> };
  for (const table of tables) {
    const named = (table.kind === 'node' ? expected?.nodes : expected?.relationships) ?? {};
    if (named[table.name] !== (counts.get(table) ?? 0)) throw damaged();
  }
}

interface WrittenColumn {
  readonly name: string;
  readonly type: string;
  /** The end of a relationship whose key it is. */
  readonly end?: 'from' | 'to';
}

function columnsOf(table: CatalogTable, tables: readonly CatalogTable[]): readonly WrittenColumn[] {
  if (table.kind === 'node') return table.columns;
  const keyType = (name: string | undefined): string => {
    const node = tables.find((each) => each.kind === 'node' && each.name === name);
    return node?.columns.find((column) => column.name === node.key)?.type ?? 'STRING';
  };
  return [
    { name: 'from', end: 'from', type: keyType(table.from) },
    { name: 'to', end: 'to', type: keyType(table.to) },
    ...table.columns,
  ];
}

/** Whole numbers beyond 2^53 and floats that JSON does not have are texts. */
function written(row: StoredRow, { name, end }: WrittenColumn): unknown {
  const value = reader.value(end === undefined ? row.properties[name] : row[end]);
  if (typeof value === 'bigint') return String(value);
  if (Object.is(value, -0)) return negativeZero;
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value === 'object' && value !== null && 'text' in value) return value.text;
  return value;
}

function readRow(table: CatalogTable, tables: readonly CatalogTable[], values: readonly unknown[]): StoredRow {
  const columns = columnsOf(table, tables);
  const properties: Record<string, unknown> = {};
  const ends: { from?: unknown; to?: unknown } = {};
  if (values.length !== columns.length) throw damaged();
  columns.forEach((column, index) => {
    const value = readValue(values[index], column);
    if (column.end !== undefined) ends[column.end] = value;
    else if (value !== null) properties[column.name] = value;
  });
  return { properties, ...ends };
}

/** Numbers are read as they were stored: an older release let writes store what the declared type does not hold. */
function readValue(given: unknown, column: WrittenColumn): unknown {
  if (isWholeType(column.type)) return given === null ? null : readWhole(given);
  if (isFloatType(column.type)) return given === null ? null : readFloat(given);
  const stored = storedValue(given, column);
  if (stored === badValue) throw damaged();
  return stored;
}

function readWhole(given: unknown): bigint {
  if (typeof given === 'number' && Number.isSafeInteger(given)) return BigInt(given);
  if (typeof given !== 'string' || !/^-?\d{1,19}$/.test(given)) throw damaged();
  const whole = BigInt(given);
  if (BigInt.asIntN(64, whole) !== whole) throw damaged();
  return whole;
}

/** Floats that JSON does not have are texts. */
function readFloat(given: unknown): number {
  if (typeof given === 'number') return given;
  if (typeof given !== 'string' || !/^(?:NaN|-?Infinity|-?0)$/.test(given)) throw damaged();
  // Earlier releases wrote only this zero as text, and without its sign.
  return given === '0' ? -0 : Number(given);
}

async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  for await (const chunk of chunks) {
    const lines = `${rest}${decoded(() => decoder.decode(chunk, { stream: true }))}`.split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}

function decoded(decode: () => string): string {
  try {
    return decode();
  } catch (error) {
    throw damaged(error);
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    throw damaged(error);
  }
}

function damaged(cause?: unknown): GraphStoreError {
  return new GraphStoreError('incompatible', 'The backup is damaged, or it is not one of this graph engine.', {
    cause,
  });
}
