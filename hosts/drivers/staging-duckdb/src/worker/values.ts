import {
  DuckDBArrayValue,
  DuckDBBlobValue,
  DuckDBDateValue,
  DuckDBDecimalValue,
  DuckDBIntervalValue,
  DuckDBListValue,
  DuckDBMapValue,
  DuckDBStructValue,
  DuckDBTimestampMillisecondsValue,
  DuckDBTimestampNanosecondsValue,
  DuckDBTimestampSecondsValue,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  DuckDBUnionValue,
  DuckDBUUIDValue,
  type DuckDBValue,
} from '@duckdb/node-api';
import type { GraphValue } from '@pacioli/core/ports';
import { WorkerFailure } from './failure.ts';

const timestamps = [
  DuckDBTimestampValue,
  DuckDBTimestampMillisecondsValue,
  DuckDBTimestampNanosecondsValue,
  DuckDBTimestampSecondsValue,
  DuckDBTimestampTZValue,
];

/** A value of the engine as the port has it: exact, and without JavaScript dates (graphs SQ-5). */
export function neutral(value: DuckDBValue): GraphValue {
  if (value === null || typeof value === 'boolean' || typeof value === 'string' || typeof value === 'number')
    return value;
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  if (value instanceof DuckDBDecimalValue) return { valueKind: 'decimal', text: value.toString() };
  if (value instanceof DuckDBDateValue) return { valueKind: 'date', text: calendarText(value.toString()) };
  if (value instanceof DuckDBUUIDValue) return { valueKind: 'uuid', text: value.toString() };
  if (value instanceof DuckDBBlobValue) return Uint8Array.from(value.bytes);
  if (value instanceof DuckDBIntervalValue) return { valueKind: 'duration', text: durationOf(value) };
  if (value instanceof DuckDBListValue || value instanceof DuckDBArrayValue) return value.items.map(neutral);
  if (value instanceof DuckDBStructValue) {
    const fields = Object.entries(value.entries).map(([name, field]) => [name, neutral(field)]);
    return { valueKind: 'record', fields: Object.fromEntries(fields) };
  }
  if (value instanceof DuckDBMapValue) {
    return {
      valueKind: 'map',
      entries: value.entries.map(({ key, value: content }) => [neutral(key), neutral(content)]),
    };
  }
  if (value instanceof DuckDBUnionValue) return neutral(value.value);
  if (timestamps.some((type) => value instanceof type)) {
    const text = String(value)
      .replace(/[+-]\d\d(:?\d\d)?$/, '')
      .replace(' ', 'T');
    return { valueKind: 'timestamp', text: `${calendarText(text)}Z` };
  }
  return String(value);
}

/** The engine writes `0002-11-28 (BC)`, `12345-01-01` and `infinity` for dates that ISO 8601 does not have. */
function calendarText(text: string): string {
  if (/^(?!0000)\d{4}-\d\d-\d\d(?:T\d|$)/.test(text)) return text;
  throw new WorkerFailure(
    'statement',
    'A date or timestamp in the answer is outside of the years 1 to 9999: select it as CAST(x AS VARCHAR).',
  );
}

const microsPerSecond = 1_000_000n;
const secondsPerMinute = 60n;
const secondsPerHour = 3_600n;
const monthsPerYear = 12;

/**
 * An ISO 8601 duration in the parts that the graph engine shows too (graphs Q-45). Months and days are of no fixed length,
 * so they stay apart.
 */
function durationOf({ months, days, micros }: DuckDBIntervalValue): string {
  const part = (amount: number | bigint, unit: string): string => (Number(amount) === 0 ? '' : `${amount}${unit}`);
  const seconds = micros / microsPerSecond;
  const years = Math.trunc(months / monthsPerYear);
  const date = part(years, 'Y') + part(months - years * monthsPerYear, 'M') + part(days, 'D');
  const hours = part(seconds / secondsPerHour, 'H');
  const minutes = part((seconds % secondsPerHour) / secondsPerMinute, 'M');
  const time = hours + minutes + secondsOf(seconds % secondsPerMinute, micros % microsPerSecond);
  return date === '' && time === '' ? 'PT0S' : `P${date}${time === '' ? '' : `T${time}`}`;
}

function secondsOf(seconds: bigint, micros: bigint): string {
  if (seconds === 0n && micros === 0n) return '';
  const fraction = micros.toString().replace('-', '').padStart(6, '0').replace(/0+$/, '');
  const sign = micros < 0n && seconds === 0n ? '-' : '';
  return `${sign}${seconds}${fraction === '' ? '' : `.${fraction}`}S`;
}

/** About how long a value is as JSON, without writing it. */
export function jsonBytes(value: GraphValue): number {
  if (typeof value === 'string') return Buffer.byteLength(value) + 3;
  if (value instanceof Uint8Array) return Math.ceil(value.byteLength / 3) * 4 + 3;
  if (typeof value !== 'object' || value === null) return 8;
  let bytes = 2;
  for (const [name, content] of Object.entries(value)) bytes += name.length + 3 + jsonBytes(content as GraphValue); // Of a value.
  return bytes;
}
