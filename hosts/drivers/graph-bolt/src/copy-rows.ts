import { type CatalogTable, GraphStoreError } from '@pacioli/core/ports';
import type { Session, Transaction } from 'neo4j-driver';
import { createNodes, createRelationships, type StoredRow, storedRows } from './table-rows.ts';

/** Rows of one table. */
export interface TableBatch {
  readonly table: CatalogTable;
  readonly rows: readonly StoredRow[];
}

/** Nodes come first, because relationships need their ends. */
export const inLoadOrder = (tables: readonly CatalogTable[]): readonly CatalogTable[] => [
  ...tables.filter(({ kind }) => kind === 'node'),
  ...tables.filter(({ kind }) => kind === 'relationship'),
];

/** Streams the rows of these tables of one database. */
export async function* rowsOf(
  tx: Transaction,
  chosen: readonly CatalogTable[],
  tables: readonly CatalogTable[],
  rowsPerBatch: number,
): AsyncGenerator<TableBatch> {
  for (const table of inLoadOrder(chosen))
    for await (const rows of storedRows(tx, table, tables, rowsPerBatch)) yield { table, rows };
}

/** Writes rows into an empty database, and counts them by table. */
export async function writeRows(
  session: Session,
  tables: readonly CatalogTable[],
  batches: AsyncIterable<TableBatch>,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, number>> {
  const written = new Map<string, number>();
  for await (const { table, rows } of batches) {
    if (signal.aborted) throw new GraphStoreError('cancelled', 'The copy was cancelled.');
    const created = await (table.kind === 'node'
      ? createNodes(session, table, rows)
      : createRelationships(session, table, tables, rows));
    if (created !== rows.length)
      throw new GraphStoreError('incompatible', `${table.name}: the ends of a relationship are missing.`);
    written.set(table.name, (written.get(table.name) ?? 0) + created);
  }
  return written;
}
