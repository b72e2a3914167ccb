import { type MigrationSet, StoreError } from '@pacioli/core/ports';
import type pg from 'pg';
import { readTableCatalog } from './table-catalog.ts';
import { accessOf, tableOwners } from './table-owners.ts';

/** The most rows that one transaction removes, which bounds its locks and its share of the log. */
export const maxRowsPerBatch = 10_000;
const mayNot = '42501';

/** The tables of these sets whose rows belong to graphs, by name. */
export async function tablesOfGraphs(owner: pg.ClientBase, sets: readonly MigrationSet[]): Promise<readonly string[]> {
  const owners = tableOwners(sets.map((set) => set.owner));
  const { tables } = await readTableCatalog(owner);
  return tables
    .filter(({ name, kind, has_graph_id: isOfGraphs }) => {
      const set = sets.find((each) => each.owner === owners.ownerOf(name));
      const isTable = kind === 'r' || kind === 'p';
      return isTable && isOfGraphs && set !== undefined && (accessOf(set, name).rows ?? 'graph') === 'graph';
    })
    .map(({ name }) => name);
}

/**
 * Removes some rows of a graph from a table and returns their number. Triggers and foreign keys are off: they would
 * refuse to remove posted entries, or write to the log of books that are gone.
 */
export async function removeRows(owner: pg.ClientBase, table: string, graphId: string): Promise<number> {
  const name = `"${table.replaceAll('"', '""')}"`;
  try {
    await owner.query(
      `BEGIN; SET LOCAL session_replication_role = replica; SET LOCAL pacioli.scope='graph'; SET LOCAL pacioli.graph_id='${graphId}'`,
    );
    const { rowCount } = await owner.query(
      `DELETE FROM ${name} WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${name} WHERE graph_id = $1 LIMIT ${maxRowsPerBatch}))`,
      [graphId],
    );
    await owner.query('COMMIT');
    return rowCount ?? 0;
  } catch (error) {
    await owner.query('ROLLBACK');
    if (!(error instanceof Error && 'code' in error && error.code === mayNot)) throw error;
    const fix = 'As an administrator run once: GRANT SET ON PARAMETER session_replication_role TO the user of the URL.';
    throw new StoreError('migration', `The user of the database URL may not remove the rows of a graph. ${fix}`, {
      cause: error,
    });
  }
}
