import { type CatalogTable, GraphStoreError } from '@pacioli/core/ports';
import type { Transaction } from 'neo4j-driver';
import { quoted } from './schema-statements.ts';
import { isFloatType, isWholeType } from './stored-values.ts';
import { endOf } from './table-rows.ts';

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
  const { kind, name, key, columns } = table;
  const pattern = kind === 'node' ? `(x:${quoted(name)})` : `(a)-[x:${quoted(name)}]->(b)`;
  const floats = columns.filter(({ type }) => isFloatType(type));
  for (const column of floats.map((each) => `x.${quoted(each.name)}`))
    await tx.run(`MATCH ${pattern} WHERE ${column} IS :: INTEGER NOT NULL SET ${column} = toFloat(${column})`);
  const typed = columns.map((column) => `x.${quoted(column.name)} IS :: ${serverType(column.type)}`);
  const faults = [
    'any(name IN keys(x) WHERE NOT name IN $names)',
    ...typed.map((isOfType) => `NOT (${isOfType})`),
    ...(key === undefined ? [] : [`x.${quoted(key)} IS NULL`]),
    ...(kind === 'node' ? [] : endFaults(table, tables)),
  ];
  const names = columns.map((column) => column.name);
  await requireNone(tx, `MATCH ${pattern} WHERE ${faults.join(' OR ')}`, { names }, () =>
    undeclared(`${name} has ${columns.map((column) => `${column.name} ${column.type}`).join(', ') || 'no properties'}`),
  );
}

function endFaults(table: CatalogTable, tables: readonly CatalogTable[]): readonly string[] {
  const [from, to] = [endOf(table.from, tables), endOf(table.to, tables)];
  return [`NOT a:${quoted(from.name)}`, `NOT b:${quoted(to.name)}`];
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
