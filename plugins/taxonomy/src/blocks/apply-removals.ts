import type { Transaction } from '@pacioli/core';
import { sql } from 'kysely';
import { deleteAssociations } from '../charts/index.ts';
import type { ProjectedUpdate } from './project-update.ts';

/** Applies the removals of an update: arcs, then structures with emptied mapping taxonomies, then elements. */
export async function applyRemovals(tx: Transaction, update: ProjectedUpdate): Promise<void> {
  const graphId = tx.graphId;
  await deleteAssociations(
    tx,
    update.removedArcs.map(({ id }) => id),
  );
  if (update.removedStructures.length > 0) {
    const ids = update.removedStructures.map(({ id }) => id);
    await tx.query(sql`delete from taxonomy_structure where graph_id = ${graphId} and id = any(${ids}::text[])`);
    // A mapping taxonomy is deleted with its last structure (taxonomy M-4).
    const homes = update.removedStructures.map(({ taxonomyId }) => taxonomyId);
    await tx.query(sql`delete from taxonomy_taxonomy t
      where t.graph_id = ${graphId} and t.id = any(${homes}::text[]) and t.taxonomy_type = 'mapping'
        and not exists (select 1 from taxonomy_structure s where s.graph_id = t.graph_id and s.taxonomy_id = t.id)`);
  }
  if (update.removedElements.length > 0) {
    const ids = update.removedElements.map(({ id }) => id);
    await tx.query(sql`delete from taxonomy_element where graph_id = ${graphId} and id = any(${ids}::text[])`);
  }
}
