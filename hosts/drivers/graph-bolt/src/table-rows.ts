import type { CatalogTable } from '@pacioli/core/ports';
import type { Session, Transaction } from 'neo4j-driver';
import { quoted } from './schema-statements.ts';

/** Properties by name in the driver's own values. An absent property is null in the tables of other engines. */
export type StoredProperties = Readonly<Record<string, unknown>>;

/** A row as the server stores it. Relationships name the keys of their ends. */
export interface StoredRow {
  readonly properties: StoredProperties;
  readonly from?: unknown;
  readonly to?: unknown;
}

/** Creates nodes. Fails as a whole if a key exists already. */
export async function createNodes(session: Session, table: CatalogTable, rows: readonly StoredRow[]): Promise<number> {
  const statement = `UNWIND $rows AS row CREATE (n:${quoted(table.name)}) SET n = row`;
  const tx = await session.beginTransaction();
  try {
    const { summary } = await tx.run(statement, { rows: rows.map(({ properties }) => properties) });
    await tx.commit();
    return summary.counters.updates().nodesCreated;
  } finally {
    await tx.close();
  }
}

/** Creates the relationships whose ends exist, and returns how many they are. */
export async function createRelationships(
  session: Session,
  table: CatalogTable,
  tables: readonly CatalogTable[],
  rows: readonly StoredRow[],
): Promise<number> {
  const [from, to] = [endOf(table.from, tables), endOf(table.to, tables)];
  const statement = `UNWIND $rows AS row
    MATCH (a:${quoted(from.name)}) WHERE a.${quoted(from.key)} = row.from
    MATCH (b:${quoted(to.name)}) WHERE b.${quoted(to.key)} = row.to
    CREATE (a)-[r:${quoted(table.name)}]->(b) SET r = row.properties`;
  const tx = await session.beginTransaction();
  try {
    const { summary } = await tx.run(statement, { rows });
    await tx.commit();
    return summary.counters.updates().relationshipsCreated;
  } finally {
    await tx.close();
  }
}

/** Which of these keys exist. */
export async function existingKeys(
  session: Session,
  end: { readonly name: string; readonly key: string },
  keys: readonly unknown[],
): Promise<ReadonlySet<string>> {
  const statement = `UNWIND $keys AS key MATCH (n:${quoted(end.name)}) WHERE n.${quoted(end.key)} = key RETURN key`;
  const { records } = await session.executeRead((tx) => tx.run(statement, { keys }));
  return new Set(records.map((record) => String(record.get('key'))));
}

/** Streams all rows of a table, in batches of the session's fetch size. */
export async function* storedRows(
  tx: Transaction,
  table: CatalogTable,
  tables: readonly CatalogTable[],
  rowsPerBatch: number,
): AsyncGenerator<readonly StoredRow[]> {
  let batch: StoredRow[] = [];
  for await (const record of tx.run(readStatement(table, tables))) {
    batch.push(record.toObject() as unknown as StoredRow); // The columns of the statement have these names.
    if (batch.length < rowsPerBatch) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

function readStatement(table: CatalogTable, tables: readonly CatalogTable[]): string {
  if (table.kind === 'node') return `MATCH (n:${quoted(table.name)}) RETURN properties(n) AS properties`;
  const [from, to] = [endOf(table.from, tables), endOf(table.to, tables)];
  return `MATCH (a)-[r:${quoted(table.name)}]->(b)
    RETURN a.${quoted(from.key)} AS from, b.${quoted(to.key)} AS to, properties(r) AS properties`;
}

export async function countRows(tx: Transaction, table: CatalogTable): Promise<number> {
  const pattern = table.kind === 'node' ? `(x:${quoted(table.name)})` : `()-[x:${quoted(table.name)}]->()`;
  const { records } = await tx.run(`MATCH ${pattern} RETURN count(x) AS total`);
  return Number(records[0]?.get('total') ?? 0);
}

export function endOf(
  name: string | undefined,
  tables: readonly CatalogTable[],
): { readonly name: string; readonly key: string } {
  const node = tables.find((table) => table.kind === 'node' && table.name === name);
  if (node?.key === undefined) throw new Error(`There is no node type ${name} with a key.`);
  return { name: node.name, key: node.key };
}
