import { type CatalogTable, GraphStoreError, type GraphValue, type TextValue } from '@pacioli/core/ports';
import neo4j, { type Duration, type Node, type Path, type Relationship } from 'neo4j-driver';
import { isFloatType } from './stored-values.ts';

/** Converts the driver's values to neutral ones; nodes and relationships have all declared properties (graphs 21.4). */
export class ValueReader {
  readonly #columns: ReadonlyMap<string, CatalogTable['columns']>;

  constructor(tables: readonly CatalogTable[]) {
    this.#columns = new Map(tables.map(({ kind, name, columns }) => [`${kind} ${name}`, columns]));
  }

  value(raw: unknown): GraphValue {
    if (raw === null || raw === undefined) return null;
    if (typeof raw === 'bigint') return wholeNumber(raw);
    if (typeof raw !== 'object') return raw as GraphValue; // A boolean, a float or a text.
    if (Array.isArray(raw)) return raw.map((item) => this.value(item));
    if (raw instanceof Int8Array || raw instanceof Uint8Array) return new Uint8Array(raw);
    return temporalValue(raw) ?? this.#graphValue(raw) ?? this.#record(raw);
  }

  #graphValue(raw: object): GraphValue | undefined {
    if (neo4j.isNode(raw)) return this.#node(raw);
    if (neo4j.isRelationship(raw)) return this.#relationship(raw);
    if (neo4j.isPath(raw)) return this.#path(raw);
    if (neo4j.isPoint(raw)) {
      const { srid, x, y, z } = raw;
      return { valueKind: 'record', fields: { srid: this.value(srid), x, y, ...(z === undefined ? {} : { z }) } };
    }
    return undefined;
  }

  #node({ elementId, labels, properties }: Node): GraphValue {
    const label = labels[0] ?? '';
    return { valueKind: 'node', id: elementId, label, properties: this.#properties('node', label, properties) };
  }

  #relationship(raw: Relationship): GraphValue {
    return {
      valueKind: 'relationship',
      id: raw.elementId,
      label: raw.type,
      source: raw.startNodeElementId,
      target: raw.endNodeElementId,
      properties: this.#properties('relationship', raw.type, raw.properties),
    };
  }

  #path({ start, segments }: Path): GraphValue {
    return {
      valueKind: 'path',
      nodes: [start, ...segments.map(({ end }) => end)].map((node) => this.#node(node)),
      relationships: segments.map(({ relationship }) => this.#relationship(relationship)),
    };
  }

  #record(raw: object): GraphValue {
    return {
      valueKind: 'record',
      fields: Object.fromEntries(Object.entries(raw).map(([name, content]) => [name, this.value(content)])),
    };
  }

  /** An absent property is null, as in an engine with typed tables. */
  #properties(
    kind: CatalogTable['kind'],
    label: string,
    raw: Readonly<Record<string, unknown>>,
  ): Readonly<Record<string, GraphValue>> {
    const declared = this.#columns.get(`${kind} ${label}`) ?? [];
    const others = Object.keys(raw).filter((name) => !declared.some((column) => column.name === name));
    return Object.fromEntries([
      ...declared.map(({ name, type }) => [name, this.value(isFloatType(type) ? asFloat(raw[name]) : raw[name])]),
      ...others.map((name) => [name, this.value(raw[name])]),
    ]);
  }
}

/** The float that is stored for a whole number which a statement gave to a DOUBLE. */
const asFloat = (raw: unknown): unknown => (typeof raw === 'bigint' ? Number(raw) : raw);

const wholeNumber = (value: bigint): number | bigint => (Number.isSafeInteger(Number(value)) ? Number(value) : value);

const text = (valueKind: TextValue['valueKind'], content: string): TextValue => ({ valueKind, text: content });

function temporalValue(raw: object): GraphValue | undefined {
  if (neo4j.isDate(raw)) {
    requireCalendarYear(Number(raw.year));
    return text('date', raw.toString());
  }
  // Without a zone it is taken as UTC, as the embedded engine does (graphs Q-45).
  if (neo4j.isLocalDateTime(raw)) {
    requireCalendarYear(Number(raw.year));
    return text('timestamp', `${withoutZeros(raw.toString())}Z`);
  }
  if (neo4j.isDateTime(raw)) {
    const instant = raw.toStandardDate();
    requireCalendarYear(instant.getUTCFullYear());
    const seconds = Math.floor(instant.getTime() / 1_000);
    const whole = new Date(seconds * 1_000).toISOString().replace('.000Z', '');
    const fraction = String(raw.nanosecond).padStart(9, '0');
    return text('timestamp', `${withoutZeros(`${whole}.${fraction}`)}Z`);
  }
  if (neo4j.isDuration(raw)) return text('duration', durationText(raw));
  // A time of day has no neutral form of its own.
  if (neo4j.isTime(raw) || neo4j.isLocalTime(raw)) return raw.toString();
  return undefined;
}

/** Requires a year of four digits, as in ISO 8601 (graphs Q-45). The year is NaN for instants beyond those of JavaScript. */
function requireCalendarYear(year: number): void {
  if (year >= 1 && year <= 9_999) return;
  throw new GraphStoreError(
    'runtime',
    'A date or timestamp in the answer is outside of the years 1 to 9999: return it as toString(x).',
  );
}

const withoutZeros = (content: string): string => content.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '');

/** `P3Y2M5DT1H2M3.5S`, in the units of the embedded engine (graphs Q-45). */
function durationText(raw: Duration): string {
  const [months, days, seconds, nanoseconds] = [raw.months, raw.days, raw.seconds, raw.nanoseconds].map((part) =>
    BigInt(String(part)),
  ) as [bigint, bigint, bigint, bigint]; // Four parts, as listed.
  const part = (amount: bigint, unit: string): string => (amount === 0n ? '' : `${amount}${unit}`);
  const total = seconds * 1_000_000_000n + nanoseconds;
  const size = total < 0n ? -total : total;
  const sign = total < 0n ? '-' : '';
  const whole = size / 1_000_000_000n;
  const fraction = String(size % 1_000_000_000n).padStart(9, '0');
  const time = (amount: string, unit: string): string => (amount === '0' ? '' : `${sign}${amount}${unit}`);
  const clock =
    time(String(whole / 3600n), 'H') +
    time(String((whole / 60n) % 60n), 'M') +
    time(withoutZeros(`${whole % 60n}.${fraction}`), 'S');
  const day = part(months / 12n, 'Y') + part(months % 12n, 'M') + part(days, 'D');
  return day + clock === '' ? 'PT0S' : `P${day}${clock === '' ? '' : `T${clock}`}`;
}
