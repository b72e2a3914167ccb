import { type GraphValue, type ResultRow, StagingError } from '@pacioli/core/ports';
import { isScalar, unionMembers } from '@pacioli/worker-process/duckdb-text';

interface Column {
  readonly name: string;
  readonly type: string;
}

/** Values of these types are sent as they are; all others are sent as text, which DuckDB casts. */
const plainTypes = new Set(['INT32', 'INT64', 'DOUBLE', 'BOOLEAN']);

/** Rows of a graph by column, as the worker takes them. */
export function columnsOfRows(columns: readonly Column[], rows: readonly ResultRow[]): unknown[][] {
  return columns.map((column, index) => {
    const isNested = !isScalar(column.type) && unionMembers(column.type) === undefined;
    return rows.map((row) => {
      const value = row[index] ?? null;
      if (value === null || (plainTypes.has(column.type) && typeof value !== 'object')) return value;
      return isNested ? JSON.stringify(jsonOf(value, column)) : textOf(value, column);
    });
  });
}

/** A value of the engine as DuckDB casts it from text. */
function textOf(value: GraphValue, { name, type }: Column): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value);
  if (typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  if (value instanceof Uint8Array) return [...value].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('');
  if (value !== null && 'valueKind' in value && 'text' in value)
    return value.valueKind === 'duration' ? intervalText(value.text) : value.text;
  throw new StagingError('unavailable', `${name} is ${type}, and has a value of another kind.`);
}

/** Numbers beyond those of JSON are texts, which DuckDB casts as well. */
function jsonOf(value: GraphValue, column: Column): unknown {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0) ? value : textOf(value, column);
  if (Array.isArray(value)) return value.map((item: GraphValue) => jsonOf(item, column));
  if (typeof value === 'object' && 'valueKind' in value) {
    if (value.valueKind === 'record') return fields(Object.entries(value.fields), column);
    if (value.valueKind === 'map')
      return fields(
        value.entries.map(([key, content]) => [textOf(key, column), content]),
        column,
      );
  }
  return textOf(value, column);
}

const fields = (entries: readonly (readonly [string, GraphValue])[], column: Column): Record<string, unknown> =>
  Object.fromEntries(entries.map(([key, content]) => [key, jsonOf(content, column)]));

const durationPattern =
  /^(-?)P(?:(-?\d+)Y)?(?:(-?\d+)M)?(?:(-?\d+)W)?(?:(-?\d+)D)?(?:T(?:(-?\d+)H)?(?:(-?\d+)M)?(?:(-?\d+(?:\.\d+)?)S)?)?$/;
const units = ['years', 'months', 'weeks', 'days', 'hours', 'minutes', 'seconds'];

/** The text of an ISO 8601 duration in the words of the engine. */
function intervalText(duration: string): string {
  const [, sign, ...parts] = durationPattern.exec(duration) ?? [];
  const amounts = parts.flatMap((amount, index) =>
    amount === undefined ? [] : [`${sign === '-' ? `-${amount}`.replace('--', '') : amount} ${units[index]}`],
  );
  return amounts.length === 0 ? '0 seconds' : amounts.join(' ');
}
