import type { QueryResult } from '@ladybugdb/core';
import type { GraphValue, ResultRow } from '@pacioli/core/ports';
import { isNested, type Rerun } from '../protocol.ts';
import { exactValue, hasLargeNumber, type PropertyTypes, truncationOf } from './exact-values.ts';
import { withOwnProperties } from './own-properties.ts';
import { type Converter, converterFor, hasEntities, needsText, textConverter } from './values.ts';

type Raw = Readonly<Record<string, unknown>>;

/** The columns of a result, without those that hold the text of another one. */
export interface ResultColumns {
  readonly names: readonly string[];
  readonly types: readonly string[];
  readonly converters: readonly Converter[];
  /** The column with the text of a nested value, by the position of the value. */
  readonly texts: ReadonlyMap<number, string>;
  readonly properties: PropertyTypes;
}

/** Rows scanned before the event loop handles other messages. */
const scanRowsPerTurn = 20_000;
/** A longer result is not read twice: a number truncated after this many rows ends the stream with an error. */
const maxScanRows = 100_000;

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export function columnsOf(result: QueryResult, { casts, texts }: Rerun, properties: PropertyTypes): ResultColumns {
  const names = result.getColumnNamesSync();
  const count = names.length - texts.length;
  const types = result.getColumnDataTypesSync().map((type, index) => casts[index] ?? type);
  const converters = types.map((type, index) =>
    casts[index] === undefined ? ownConverter(type, properties) : textConverter(type),
  );
  return {
    names: names.slice(0, count),
    types: types.slice(0, count),
    converters: converters.slice(0, count),
    // Each text stands behind the columns of the statement, in the order of `texts`.
    texts: new Map(texts.map((index, place) => [index, names[count + place] ?? ''])),
    properties,
  };
}

function ownConverter(type: string, properties: PropertyTypes): Converter {
  const convert = converterFor(type);
  return hasEntities(type) ? (value) => withOwnProperties(convert(value), properties) : convert;
}

export function readRows(result: QueryResult, columns: ResultColumns, maxRows: number): ResultRow[] {
  const { names, converters, texts } = columns;
  const rows: ResultRow[] = [];
  while (rows.length < maxRows && result.hasNext()) {
    const raw = result.getNextSync();
    if (raw === null) break;
    const row: GraphValue[] = new Array(names.length);
    for (let index = 0; index < names.length; index += 1) {
      if (texts.has(index)) row[index] = nestedValue(columns, raw, index);
      // Both lists have one entry a column, so neither look-up can miss.
      else row[index] = (converters[index] as Converter)(raw[names[index] as string]);
    }
    rows.push(row);
  }
  return rows;
}

function nestedValue({ names, types, texts, properties }: ResultColumns, raw: Raw, index: number): GraphValue {
  const [name = '', type = ''] = [names[index], types[index]];
  return exactValue(type, raw[name], String(raw[texts.get(index) ?? '']), properties);
}

/**
 * The binding converts INT64 and DECIMAL to JavaScript numbers and instants to milliseconds, also within nodes and lists.
 * Finds the columns that lose digits before the first row is sent, so that the statement can run again with their text.
 */
export async function inexactColumns(
  result: QueryResult,
  { names, types, texts, properties }: ResultColumns,
  { casts }: Pick<Rerun, 'casts'>,
): Promise<number[]> {
  const inexact = new Set<number>();
  const scanned: number[] = [];
  types.forEach((type, index) => {
    if (casts[index] !== undefined || texts.has(index)) return;
    const truncation = isNested(type) ? truncationOf(type, properties) : undefined;
    if (needsText(type) || truncation === 'always') inexact.add(index);
    else if (type === 'INT64' || type === 'UINT64' || truncation === 'large numbers') scanned.push(index);
  });
  if (scanned.length === 0) return [...inexact];
  for (let seen = 1; seen <= maxScanRows && result.hasNext(); seen += 1) {
    const row = result.getNextSync();
    // `scanned` holds indexes of `names`.
    for (const index of scanned) if (hasLargeNumber(row?.[names[index] as string])) inexact.add(index);
    if (seen % scanRowsPerTurn === 0) await turn();
  }
  result.resetIterator();
  return [...inexact];
}
