import { type CatalogTable, GraphStoreError } from '@pacioli/core/ports';
import neo4j from 'neo4j-driver';
import { quoted } from './schema-statements.ts';
import { isFloatType, rangeOf } from './stored-values.ts';
import { endOf, type StoredRow } from './table-rows.ts';

/** The longest text of a key in a message. */
const maxKeyCharacters = 60;

/** The condition for a whole number that its type does not hold; undefined for other types. */
export function outsideOfRange(value: string, type: string): string | undefined {
  const range = rangeOf(type);
  return range === undefined ? undefined : `(${value} < ${range.least} OR ${value} > ${range.most})`;
}

/** Why the declared type does not hold a value of the server; undefined if it does. */
function faultOf(value: unknown, type: string): string | undefined {
  const range = rangeOf(type);
  if (range !== undefined && typeof value === 'bigint' && (value < range.least || value > range.most))
    return `${value}, and ${type} takes ${range.least} to ${range.most}`;
  if (isFloatType(type) && typeof value === 'number' && !Number.isFinite(type === 'FLOAT' ? Math.fround(value) : value))
    return `${value}, which ${type} does not take`;
  if (neo4j.isDate(value) || neo4j.isDateTime(value)) {
    const year = Number(value.year);
    if (year < 1 || year > 9_999) return `${value.toString()}, and ${type} takes the years 1 to 9999`;
  }
  return undefined;
}

/** Describes the first property of a row that its declared type does not hold: `A big: v is 300, and INT8 takes …`. */
export function rangeFault(row: StoredRow, table: CatalogTable): string | undefined {
  for (const { name, type } of table.columns) {
    const fault = faultOf(row.properties[name], type);
    if (fault !== undefined) return `${table.name} ${labelOf(row, table)}: ${name} is ${fault}`;
  }
  return undefined;
}

/** Refuses a row that an export could not load into another engine. */
export function requireWithinTypes(row: StoredRow, table: CatalogTable): void {
  const fault = rangeFault(row, table);
  if (fault === undefined) return;
  throw new GraphStoreError('incompatible', `${fault}. Change or remove this row first.`);
}

function labelOf({ properties, from, to }: StoredRow, { kind, key }: CatalogTable): string {
  if (kind === 'relationship') return `${shortKey(from)} -> ${shortKey(to)}`;
  return shortKey(key === undefined ? undefined : properties[key]);
}

/** A key for a message. */
export function shortKey(key: unknown): string {
  const text = String(key);
  return text.length > maxKeyCharacters ? `${text.slice(0, maxKeyCharacters)}…` : text;
}

/** The statement that finds one row with a number that its type does not hold; undefined for a table without any. */
export function rangeStatement(table: CatalogTable, tables: readonly CatalogTable[]): string | undefined {
  const conditions = table.columns.flatMap(({ name, type }) => outsideOfRange(`x.${quoted(name)}`, type) ?? []);
  if (conditions.length === 0) return undefined;
  const found = `WHERE ${conditions.join(' OR ')} RETURN properties(x) AS properties`;
  if (table.kind === 'node') return `MATCH (x:${quoted(table.name)}) ${found} LIMIT 1`;
  const [from, to] = [endOf(table.from, tables), endOf(table.to, tables)];
  const ends = `a.${quoted(from.key)} AS from, b.${quoted(to.key)} AS to`;
  return `MATCH (a)-[x:${quoted(table.name)}]->(b) ${found}, ${ends} LIMIT 1`;
}
