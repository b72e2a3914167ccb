import { type CatalogTable, GraphStoreError } from '@pacioli/core/ports';
import type { Transaction } from 'neo4j-driver';
import { rangeFault, rangeStatement } from './declared-ranges.ts';
import { quoted } from './schema-statements.ts';
import { isFloatType, isWholeType } from './stored-values.ts';
import { endOf, type StoredRow } from './table-rows.ts';

/**
 * Holds what a statement wrote to the declared tables, in the same transaction: the server itself takes any label and
 * any property. It looks at all rows of the graph, so its cost grows with the size of a subgraph (graphs E-34).
 */
export async function requireDeclaredRows(tx: Transaction, tables: readonly CatalogTable[]): Promise<void> {
  const nodes = tables.filter(({ kind }) => kind === 'node');
  const labels = nodes.map(({ name }) => name);
  await requireNone(tx, 'MATCH (x) WHERE size(labels(x)) <> 1 OR NOT labels(x)[0] IN $names', { names: labels }, () =>
    undeclared('A node has exactly one label, and one that the graph declares'),
  );
  const types = tables.filter(({ kind }) => kind === 'relationship').map(({ name }) => name);
  await requireNone(tx, 'MATCH ()-[x]->() WHERE NOT type(x) IN $names', { names: types }, () =>
    undeclared('A relationship has a type that the graph declares'),
  );
  for (const table of tables) await requireDeclaredTable(tx, table, tables);
}

async function requireDeclaredTable(
  tx: Transaction,
  table: CatalogTable,
  tables: readonly CatalogTable[],
): Promise<void> {
  const { kind, name, columns } = table;
  const pattern = kind === 'node' ? `(x:${quoted(name)})` : `(a)-[x:${quoted(name)}]->(b)`;
  const floats = columns.filter(({ type }) => isFloatType(type));
  for (const column of floats.map((each) => `x.${quoted(each.name)}`))
    await tx.run(`MATCH ${pattern} WHERE ${column} IS :: INTEGER NOT NULL SET ${column} = toFloat(${column})`);
  if (kind === 'relationship') await requireEnds(tx, table, tables);
  await requireTypes(tx, pattern, table);
  await requireRange(tx, table, tables);
  await requirePossible(tx, pattern, table, {
    condition: notFinite,
    reason: `a number in ${name} would not be finite`,
  });
  await requirePossible(tx, pattern, table, {
    condition: outsideOfCalendar,
    reason: `a date or timestamp in ${name} would be outside of the years 1 to 9999`,
  });
  await keepDeclaredDigits(tx, pattern, table);
}

/** Refuses rows with other properties, other types or no key, and names one row with what is wrong in it (graphs E-34). */
async function requireTypes(tx: Transaction, pattern: string, { name, key, columns }: CatalogTable): Promise<void> {
  const faults = columns.map((column) => {
    const value = `x.${quoted(column.name)}`;
    const isWrong = `NOT (${value} IS :: ${serverType(column.type)})`;
    return column.name === key ? `(${value} IS NULL OR ${isWrong})` : isWrong;
  });
  const others = '[name IN keys(x) WHERE NOT name IN $names]';
  const { records } = await tx.run(
    `MATCH ${pattern} WHERE size(${others}) > 0 OR ${[...faults, 'false'].join(' OR ')}
     RETURN ${key === undefined ? 'null' : `toStringOrNull(x.${quoted(key)})`} AS key, ${others} AS others,
       [${faults.join(', ')}] AS faults LIMIT 1`,
    { names: columns.map((column) => column.name) },
  );
  const [found] = records;
  if (found === undefined) return;
  const isFault: readonly unknown[] = found.get('faults');
  const undeclaredNames: readonly string[] = found.get('others');
  const rowKey: string | null = found.get('key');
  const wrong = columns.filter((_column, index) => isFault[index] === true);
  const parts = [
    ...wrong.map((column) => `${column.name} must be ${column.type}`),
    ...undeclaredNames.map((other) => `${other} is not declared`),
  ];
  const row = rowKey === null ? `A row of ${name}` : `${name} ${rowKey.slice(0, maxShownCharacters)}`;
  throw undeclared(`${row}: ${parts.join(', ')}`);
}

const maxShownCharacters = 100;

/** Rounds FLOAT to the 24 binary digits and cuts TIMESTAMP to the microseconds that the embedded engine has (graphs 21.4). */
async function keepDeclaredDigits(tx: Transaction, pattern: string, { columns }: CatalogTable): Promise<void> {
  for (const { name, type } of columns) {
    const value = `x.${quoted(name)}`;
    if (type === 'TIMESTAMP')
      await tx.run(
        `MATCH ${pattern} WHERE ${value}.nanosecond % 1000 <> 0 SET ${value} = datetime.truncate('microsecond', ${value})`,
      );
    if (type !== 'FLOAT') continue;
    // A multiple by 2^29 + 1 that is subtracted again takes the 29 digits with it that 64 bits have more.
    const rounded = `(${value} * 536870913.0 - (${value} * 536870913.0 - ${value}))`;
    await tx.run(`MATCH ${pattern} WHERE ${value} <> ${rounded} SET ${value} = ${rounded}`);
  }
}

/** Refuses whole numbers that their types do not hold, and names one (graphs E-34). */
async function requireRange(tx: Transaction, table: CatalogTable, tables: readonly CatalogTable[]): Promise<void> {
  const statement = rangeStatement(table, tables);
  if (statement === undefined) return;
  const [found] = (await tx.run(statement)).records;
  if (found === undefined) return;
  const row = found.toObject() as unknown as StoredRow; // The columns of the statement have these names.
  throw new GraphStoreError('runtime', `Nothing was written, because of ${rangeFault(row, table)}.`);
}

/** The smallest number that is rounded to infinity in 32 bits. */
const floatOverflow = '3.4028235677973366e38';

/** A condition for NaN and infinity: only finite numbers have a difference of 0 from themselves. */
function notFinite(value: string, type: string): string | undefined {
  if (!isFloatType(type)) return undefined;
  const isInfinite = `${value} - ${value} <> 0.0`;
  return type === 'FLOAT' ? `(${isInfinite} OR abs(${value}) >= ${floatOverflow})` : isInfinite;
}

/** The first and the last second of the years 1 to 9999 in UTC. */
const calendarSeconds = [Date.parse('0001-01-01T00:00:00Z') / 1_000, Date.parse('9999-12-31T23:59:59Z') / 1_000];

function outsideOfCalendar(value: string, type: string): string | undefined {
  if (type === 'DATE') return `(${value}.year < 1 OR ${value}.year > 9999)`;
  const [first, last] = calendarSeconds;
  return type === 'TIMESTAMP' ? `(${value}.epochSeconds < ${first} OR ${value}.epochSeconds > ${last})` : undefined;
}

/** Refuses values that cannot be stored on both engines, and names the properties of one such row (graphs T-6). */
async function requirePossible(
  tx: Transaction,
  pattern: string,
  { columns }: CatalogTable,
  impossible: {
    readonly condition: (value: string, type: string) => string | undefined;
    readonly reason: string;
  },
): Promise<void> {
  const faults = columns.flatMap(({ name, type }) => {
    const condition = impossible.condition(`x.${quoted(name)}`, type);
    return condition === undefined ? [] : [{ name, condition: `x.${quoted(name)} IS NOT NULL AND ${condition}` }];
  });
  if (faults.length === 0) return;
  const conditions = faults.map(({ condition }) => condition);
  const found = await tx.run(
    `MATCH ${pattern} WHERE ${conditions.join(' OR ')} RETURN [${conditions.join(', ')}] AS faults LIMIT 1`,
  );
  const isFault: readonly unknown[] | undefined = found.records[0]?.get('faults');
  if (isFault === undefined) return;
  const names = faults.filter((_fault, index) => isFault[index] === true).map(({ name }) => name);
  throw new GraphStoreError('runtime', `Nothing was written, because ${impossible.reason} (${names.join(', ')}).`);
}

/** Refuses relationships between other nodes than those of the type, and nodes that were deleted without theirs. */
async function requireEnds(tx: Transaction, { name, ...ends }: CatalogTable, tables: readonly CatalogTable[]) {
  const [from, to] = [endOf(ends.from, tables), endOf(ends.to, tables)];
  const labels = tables.filter(({ kind }) => kind === 'node').map((node) => quoted(node.name));
  const { records } = await tx.run(
    `MATCH (a)-[:${quoted(name)}]->(b) WHERE NOT a:${quoted(from.name)} OR NOT b:${quoted(to.name)}
     RETURN NOT a:${labels.join('|')} OR NOT b:${labels.join('|')} AS isDeleted LIMIT 1`,
  );
  if (records.length === 0) return;
  // Every other node has a declared label by now: only one that this statement deleted has none, and labels() would fail.
  if (records[0]?.get('isDeleted') !== true) throw undeclared(`${name} goes from ${from.name} to ${to.name}`);
  throw new GraphStoreError(
    'runtime',
    `Nothing was written, because a node to delete still has relationships (${name}): use DETACH DELETE, or delete them first.`,
  );
}

async function requireNone(
  tx: Transaction,
  match: string,
  parameters: Readonly<Record<string, unknown>>,
  failure: () => GraphStoreError,
): Promise<void> {
  const { records } = await tx.run(`${match} RETURN 1 AS one LIMIT 1`, parameters);
  if (records.length > 0) throw failure();
}

function undeclared(rule: string): GraphStoreError {
  return new GraphStoreError('bind', `Nothing was written, because it does not fit the schema of this graph. ${rule}.`);
}

function serverType(type: string): string {
  if (isWholeType(type)) return 'INTEGER';
  if (isFloatType(type)) return 'FLOAT';
  if (type.startsWith('BOOL')) return 'BOOLEAN';
  if (type === 'DATE') return 'DATE';
  return type === 'TIMESTAMP' ? 'ZONED DATETIME' : 'STRING';
}
