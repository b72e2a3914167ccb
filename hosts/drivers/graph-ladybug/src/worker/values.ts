import type { GraphValue, NodeValue, RelationshipValue, TextValue } from '@pacioli/core/ports';
import { WorkerFailure } from './failure.ts';
import { calendarIso, calendarText } from './four-digit-years.ts';

/** Converts the binding's values of one column to neutral values. */
export type Converter = (value: unknown) => GraphValue;

const dayMs = 86_400_000;
const maxDaysRemembered = 10_000;

/** A converter for an engine type such as `INT64`, `STRUCT(a INT64)[]` or `MAP(STRING, DATE)`. */
export function converterFor(type: string): Converter {
  const convert = plainConverter(type);
  return (value) => (value === null || value === undefined ? null : convert(value));
}

/** True for types whose values the binding truncates, so that they are read as text. */
export function needsText(type: string): boolean {
  return /^(DECIMAL\([^[]*\)|TIMESTAMP(_[^[]*)?|INTERVAL)$/.test(type);
}

/** A converter for values that the engine has written as text, because the binding would truncate them. */
export function textConverter(type: string): Converter {
  if (/^U?INT\d+$/.test(type)) return (value) => (value === null ? null : numberFromText(String(value)));
  if (type.startsWith('TIMESTAMP')) return (value) => (value === null ? null : timestampFromText(String(value)));
  return converterFor(type);
}

export const isListType = (type: string): boolean => type.endsWith(']');
export const isEntityType = (type: string): boolean => /^(NODE|REL|RECURSIVE_REL)$/.test(type);
/** True for a type whose values contain nodes or relationships. */
export const hasEntities = (type: string): boolean => /\b(NODE|REL|RECURSIVE_REL)\b/.test(type);
export type GraphEntity = NodeValue | RelationshipValue;

export function numberFromText(digits: string): GraphValue {
  const value = Number(digits);
  return Number.isSafeInteger(value) ? value : BigInt(digits);
}

/** The engine writes `2026-01-31 08:00:00.123456`, with an offset only for zoned types, which are in UTC. */
function timestampFromText(content: string): GraphValue {
  return text(
    'timestamp',
    `${calendarText(content)
      .replace(' ', 'T')
      .replace(/(Z|[+-]\d\d(:?\d\d)?)$/, '')}Z`,
  );
}

/** The engine writes the sign of a small decimal behind its point, in place of a zero: `0.-1` for -0.01. */
function decimalFromText(content: string): string {
  const [, fraction] = /^0\.(0*-\d+)$/.exec(content) ?? [];
  return fraction === undefined ? content : `-0.${fraction.replace('-', '').padStart(fraction.length, '0')}`;
}

function plainConverter(type: string): Converter {
  if (isListType(type)) return listConverter(type);
  if (type.startsWith('STRUCT(')) return recordConverter(type);
  if (type.startsWith('UNION(')) return (value) => untyped(onlyField(value));
  if (type.startsWith('MAP(')) return mapConverter(type);
  if (type.startsWith('DECIMAL(')) return decimalConverter(decimalText(type));
  switch (type) {
    case 'STRING':
    case 'BOOL':
    case 'DOUBLE':
    case 'FLOAT':
      return (value) => value as GraphValue; // The binding gives exactly the neutral value for these.
    case 'DATE':
      return dateConverter();
    case 'INTERVAL':
      return durationConverter;
    case 'UUID':
      return (value) => text('uuid', String(value));
    case 'BLOB':
      return (value) => new Uint8Array(value as Uint8Array); // A Buffer; the copy is a plain array of bytes.
    case 'NODE':
      return (value) => nodeValue(value as Raw);
    case 'REL':
      return (value) => relationshipValue(value as Raw);
    case 'RECURSIVE_REL':
      return (value) => pathValue(value as Raw);
    case 'INTERNAL_ID':
      return (value) => idText(value);
    default:
      return type.startsWith('TIMESTAMP') ? (value) => text('timestamp', instantText(value as Date)) : untyped;
  }
}

type Raw = Readonly<Record<string, unknown>>;

function text(valueKind: TextValue['valueKind'], content: string): TextValue {
  return { valueKind, text: content };
}

/** Values inside nodes and lists carry no type of their own, so the kind is read from the JavaScript value. */
function untyped(value: unknown): GraphValue {
  if (value === null || value === undefined) return null;
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  if (typeof value === 'number') return exactNumber(value);
  if (value instanceof Date)
    return value.getTime() % dayMs === 0 ? text('date', dateText(value)) : text('timestamp', instantText(value));
  if (value instanceof Uint8Array) return new Uint8Array(value);
  if (Array.isArray(value)) return value.map(untyped);
  if (typeof value === 'object') return objectValue(value as Raw); // Only plain objects are left.
  return value as GraphValue; // string or boolean
}

function objectValue(raw: Raw): GraphValue {
  if ('_nodes' in raw && '_rels' in raw) return pathValue(raw);
  if ('_src' in raw && '_dst' in raw) return relationshipValue(raw);
  if ('_label' in raw && '_id' in raw) return nodeValue(raw);
  return { valueKind: 'record', fields: propertiesOf(raw) };
}

/** Rejects a number that lost digits in the binding instead of returning it. */
function exactNumber(value: number): number {
  if (Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(value) < 2 ** 63) {
    throw new WorkerFailure(
      'runtime',
      'A whole number beyond 2^53 would lose digits here: return it by itself as cast(x AS STRING).',
    );
  }
  return value;
}

function decimalConverter(format: ((value: number) => string) | undefined): Converter {
  return (value) => {
    if (typeof value === 'string') return text('decimal', decimalFromText(value));
    if (typeof value === 'number' && format !== undefined) return text('decimal', format(value));
    throw inexact('decimal');
  };
}

function inexact(valueKind: TextValue['valueKind']): WorkerFailure {
  return new WorkerFailure(
    'runtime',
    `A ${valueKind} inside a list or map loses digits: return it as a column of its own.`,
  );
}

/** Converts the engine's `3 years 2 months 5 days 01:02:03.5` to `P3Y2M5DT1H2M3.5S` (graphs Q-45). */
const durationConverter: Converter = (value) => {
  const parts = /^(?:(-?\d+) years? ?)?(?:(-?\d+) months? ?)?(?:(-?\d+) days? ?)?(?:(-?)(\d+):(\d+):([\d.]+))?$/.exec(
    typeof value === 'string' ? value : 'in a list',
  );
  if (parts === null) throw inexact('duration');
  const [, years, months, days, sign = '', hours, minutes, seconds] = parts;
  const part = (digits: string | undefined, unit: string, before = ''): string => {
    const plain = (digits ?? '')
      .replace(/^(-?)0+(?=\d)/, '$1')
      .replace(/(\.\d*?)0+$/, '$1')
      .replace(/\.$/, '');
    return plain === '' || plain === '0' ? '' : `${before}${plain}${unit}`;
  };
  const day = part(years, 'Y') + part(months, 'M') + part(days, 'D');
  const time = part(hours, 'H', sign) + part(minutes, 'M', sign) + part(seconds, 'S', sign);
  return text('duration', day + time === '' ? 'PT0S' : `P${day}${time === '' ? '' : `T${time}`}`);
};

function decimalText(type: string): ((value: number) => string) | undefined {
  const [precision = 0, scale = 0] = [...type.matchAll(/\d+/g)].map(([digits]) => Number(digits));
  return precision <= 15 ? (value) => value.toFixed(scale) : undefined; // 15 digits always survive a double.
}

/** Dates repeat in a result, so equal dates share one object, which is serialized once per message. */
function dateConverter(): Converter {
  const days = new Map<number, GraphValue>();
  return (value) => {
    const date = value as Date; // The binding gives a Date at midnight UTC.
    const known = days.get(date.getTime());
    if (known !== undefined) return known;
    const made = text('date', dateText(date));
    if (days.size < maxDaysRemembered) days.set(date.getTime(), made);
    return made;
  };
}

function dateText(value: Date): string {
  const instant = calendarIso(value);
  return instant.slice(0, instant.indexOf('T'));
}

function instantText(value: Date): string {
  return calendarIso(value).replace('.000Z', 'Z');
}

function listConverter(type: string): Converter {
  const convert = converterFor(type.slice(0, type.lastIndexOf('[')));
  return (value) => (value as readonly unknown[]).map(convert); // Lists and arrays arrive as JavaScript arrays.
}

function recordConverter(type: string): Converter {
  const converters = new Map(splitTypes(type).map((field) => [fieldName(field), converterFor(fieldType(field))]));
  return (value) => {
    const fields: Record<string, GraphValue> = {};
    for (const [name, content] of Object.entries(value as Raw))
      fields[name] = (converters.get(name) ?? untyped)(content);
    return { valueKind: 'record', fields };
  };
}

/** The binding gives the value of a union as an object with one field, which does not name the member (graphs T-6). */
export function onlyField(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? Object.values(value)[0] : null;
}

/** The binding converts map keys to text; the key type tells their original type. */
export function mapKey(type: string, key: string): GraphValue {
  if (/^(U?INT\d+|SERIAL)$/.test(type)) return numberFromText(key);
  return /^(DATE|TIMESTAMP)/.test(type) ? calendarText(key) : key;
}

function mapConverter(type: string): Converter {
  const [keyType = 'STRING', valueType = 'STRING'] = splitTypes(type);
  const convert = converterFor(valueType);
  return (value) => ({
    valueKind: 'map',
    entries: Object.entries(value as Raw).map(([key, content]) => [mapKey(keyType, key), convert(content)]),
  });
}

/** The parts between the outer brackets, split at top-level commas. */
export function splitTypes(type: string): string[] {
  const inner = type.slice(type.indexOf('(') + 1, type.lastIndexOf(')'));
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < inner.length; at += 1) {
    const sign = inner.charAt(at);
    if (sign === '(') depth += 1;
    if (sign === ')') depth -= 1;
    if (sign === ',' && depth === 0) {
      parts.push(inner.slice(start, at).trim());
      start = at + 1;
    }
  }
  parts.push(inner.slice(start).trim());
  return parts;
}

/** A name may contain blanks; a type contains them only inside brackets. */
function typeStart(field: string): number {
  const bracket = field.indexOf('(');
  return field.lastIndexOf(' ', bracket < 0 ? field.length : bracket) + 1;
}

export const fieldName = (field: string): string => field.slice(0, Math.max(0, typeStart(field) - 1));
export const fieldType = (field: string): string => field.slice(typeStart(field));

export function idText(id: unknown): string {
  const { table, offset } = (id ?? {}) as { table?: number; offset?: number }; // The binding's internal id.
  return `${table ?? 0}:${offset ?? 0}`;
}

function propertiesOf(raw: Raw): Record<string, GraphValue> {
  const properties: Record<string, GraphValue> = {};
  for (const [name, content] of Object.entries(raw)) {
    if (!['_id', '_label', '_src', '_dst'].includes(name)) properties[name] = untyped(content);
  }
  return properties;
}

function nodeValue(raw: Raw): GraphValue {
  return { valueKind: 'node', id: idText(raw['_id']), label: String(raw['_label']), properties: propertiesOf(raw) };
}

function relationshipValue(raw: Raw): GraphValue {
  return {
    valueKind: 'relationship',
    id: idText(raw['_id']),
    label: String(raw['_label']),
    source: idText(raw['_src']),
    target: idText(raw['_dst']),
    properties: propertiesOf(raw),
  };
}

function pathValue(raw: Raw): GraphValue {
  const nodes = raw['_nodes'] as readonly unknown[]; // A recursive relationship always has both lists.
  const relationships = raw['_rels'] as readonly unknown[];
  return { valueKind: 'path', nodes: nodes.map(untyped), relationships: relationships.map(untyped) };
}
