import { GraphStoreError } from '@pacioli/core/ports';
import neo4j from 'neo4j-driver';

/** A value that its column cannot hold, which is counted and reported (graphs M-24). */
export const badValue = Symbol('bad value');

const datePattern = /^(\d{4})-(\d{2})-(\d{2})$/;
const timestampPattern =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?\s*(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i;

export interface WholeRange {
  readonly least: bigint;
  readonly most: bigint;
}

const signed = (bits: bigint): WholeRange => ({ least: 1n - 2n ** (bits - 1n), most: 2n ** (bits - 1n) - 1n });
const unsigned = (bits: bigint): WholeRange => ({ least: 0n, most: 2n ** bits - 1n });

/** The ranges of whole numbers. They exclude the smallest of a signed type, which the embedded engine loses (graphs T-6). */
const ranges: ReadonlyMap<string, WholeRange> = new Map([
  ['INT8', signed(8n)],
  ['INT16', signed(16n)],
  ['INT32', signed(32n)],
  ['INT64', signed(64n)],
  ['UINT8', unsigned(8n)],
  ['UINT16', unsigned(16n)],
  ['UINT32', unsigned(32n)],
]);

/** The range of a type of whole numbers; undefined for other types. */
export const rangeOf = (type: string): WholeRange | undefined => ranges.get(type);

export const isWholeType = (type: string): boolean => ranges.has(type);
export const isFloatType = (type: string): boolean => type === 'DOUBLE' || type === 'FLOAT';

/** The driver's form of a value of a bulk load; null stays absent. Throws for a value of another kind. */
export function storedValue(value: unknown, column: { readonly name: string; readonly type: string }): unknown {
  if (value === null || value === undefined) return null;
  const { name, type } = column;
  const mistake = (): GraphStoreError =>
    new GraphStoreError('runtime', `${name} is ${type}, so it cannot take this ${typeof value}.`);
  const range = rangeOf(type);
  if (range !== undefined) {
    if (typeof value !== 'bigint' && !Number.isSafeInteger(value)) throw mistake();
    const whole = BigInt(value as number | bigint); // As just checked.
    return whole < range.least || whole > range.most ? badValue : whole;
  }
  if (isFloatType(type)) {
    if (typeof value !== 'number') throw mistake();
    const stored = type === 'FLOAT' ? Math.fround(value) : value;
    return Number.isFinite(stored) ? stored : badValue;
  }
  if (type.startsWith('BOOL')) {
    if (typeof value !== 'boolean') throw mistake();
    return value;
  }
  if (typeof value !== 'string') throw mistake();
  if (type === 'DATE') return storedDate(value);
  return type === 'TIMESTAMP' ? storedInstant(value) : value;
}

function storedDate(value: string): unknown {
  const [year, month, day] = partsOf(datePattern, value);
  if (year === undefined || month === undefined || day === undefined) return badValue;
  return isDay(year, month, day) ? new neo4j.types.Date(BigInt(year), BigInt(month), BigInt(day)) : badValue;
}

function storedInstant(value: string): unknown {
  const found = timestampPattern.exec(value.trim());
  if (found === null) return badValue;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = found
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  if (!isDay(year, month, day) || hour > 23 || minute > 59 || second > 59) return badValue;
  const local = new Date(0);
  // Date.UTC takes the years 0 to 99 as those from 1900.
  local.setUTCFullYear(year, month - 1, day);
  local.setUTCHours(hour, minute, second);
  const utc = new Date(local.getTime() - offsetMs(found[8] ?? 'Z'));
  if (!isCalendarYear(utc.getUTCFullYear())) return badValue;
  // An instant has microseconds, as in the embedded engine (graphs 21.4).
  const nanoseconds = BigInt(`${(found[7] ?? '').slice(0, 6).padEnd(6, '0')}000`);
  const parts = [utc.getUTCFullYear(), utc.getUTCMonth() + 1, utc.getUTCDate()] as const;
  const clock = [utc.getUTCHours(), utc.getUTCMinutes(), utc.getUTCSeconds()] as const;
  const whole = [...parts, ...clock].map(BigInt) as [bigint, bigint, bigint, bigint, bigint, bigint]; // Six parts.
  return new neo4j.types.DateTime(...whole, nanoseconds, 0n, undefined as never); // A zone is an offset or a name.
}

function partsOf(pattern: RegExp, value: string): readonly number[] {
  return (pattern.exec(value) ?? []).slice(1).map(Number);
}

const isCalendarYear = (year: number): boolean => year >= 1 && year <= 9_999;

function isDay(year: number, month: number, day: number): boolean {
  if (!isCalendarYear(year)) return false;
  const date = new Date(Date.UTC(year, month - 1, day));
  date.setUTCFullYear(year);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

function offsetMs(zone: string): number {
  if (zone.toUpperCase() === 'Z') return 0;
  const digits = zone.slice(1).replace(':', '');
  const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2) || 0);
  return (zone.startsWith('-') ? -1 : 1) * minutes * 60_000;
}
