import { invalidInput, type Transaction } from '@pacioli/core';
import { sql } from 'kysely';
import type { EntityLinks } from '../charts/index.ts';
import type { DeleteBlockAnswer, DeleteBlockRequest } from '../models/taxonomy-block-requests.ts';
import type { TaxonomyElement, TaxonomyRule, TaxonomyStructure, TaxonomyTaxonomy } from '../rows.gen.ts';
import type { TaxonomyHead } from '../vocabulary/index.ts';
import {
  lockElementsToDelete,
  lockHistory,
  outsideUses,
  protectedMessage,
  protectedSetsOf,
  structureInUse,
  usedStructuresOf,
} from './block-refusals.ts';
import type { BlockWork } from './block-work.ts';
import type { BlockAtoms, BlockDependant, ElementGuard } from './dependants.ts';
import { deleteStructures } from './structure-writes.ts';
import { deleteRules, targetsArcsOf } from './write-rules.ts';

interface DeleteParts {
  readonly guards: readonly ElementGuard[];
  readonly dependants: readonly BlockDependant[];
  readonly links: readonly EntityLinks[];
}

interface DoomedAtoms extends BlockAtoms {
  /** The taxonomy itself and the mappings sourced from it (taxonomy M-4). */
  readonly taxonomyIds: readonly string[];
  readonly ruleIds: readonly string[];
}

/**
 * Deletes a taxonomy with all its parts, or throws the reason against it (taxonomy T-37, T-38). The caller holds its
 * lock.
 */
export async function deleteBlock(
  work: BlockWork,
  request: DeleteBlockRequest,
  head: TaxonomyHead | undefined,
  parts: DeleteParts,
): Promise<DeleteBlockAnswer> {
  const { tx } = work;
  if (head === undefined) throw invalidInput(`taxonomy_id ${request.taxonomy_id} not found in this graph.`);
  if (request.reason.trim() === '') throw invalidInput('reason: say why the taxonomy is deleted; the audit keeps it.');
  if (head.taxonomy_type === 'mapping') {
    throw invalidInput(`A mapping is deleted with its chart: remove its structure from ${head.source_taxonomy_id}.`);
  }
  if (head.is_locked) throw invalidInput(`The taxonomy ${head.id} is locked and cannot be deleted.`);
  const doomed = await readDoomed(tx, head.id);
  const cascade = request.cascade_facts ?? false;
  await lockElementsToDelete(tx, doomed.elementIds);
  await refuseDelete(tx, doomed, cascade, parts);

  let factsDeleted = 0;
  for (const dependant of parts.dependants) {
    if (cascade) factsDeleted += await dependant.removeFacts(tx, doomed);
    await dependant.removeResults(tx, doomed.ruleIds);
  }
  let wasPrimaryChart = false;
  for (const links of parts.links) {
    const unlinked = await links.unlink(tx, doomed.taxonomyIds);
    wasPrimaryChart ||= unlinked.wasPrimaryChart;
  }
  await deleteAtoms(tx, doomed);
  await tx.query(sql`insert into taxonomy_deletion
      (graph_id, taxonomy_id, name, taxonomy_type, reason, facts_deleted, was_primary_chart, deleted_by, deleted_at)
    values (${tx.graphId}, ${head.id}, ${head.name}, ${head.taxonomy_type}, ${request.reason}, ${factsDeleted},
      ${wasPrimaryChart}, ${work.userId}, ${work.now})`);
  return {
    taxonomy_id: head.id,
    name: head.name,
    deleted: true,
    facts_deleted: factsDeleted,
    cascade_applied: cascade,
  };
}

async function readDoomed(tx: Transaction, taxonomyId: string): Promise<DoomedAtoms> {
  const graphId = tx.graphId;
  const ids = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id);
  const taxonomyIds = ids(
    await tx.query(sql<Pick<TaxonomyTaxonomy, 'id'>>`select id from taxonomy_taxonomy where graph_id = ${graphId}
      and (id = ${taxonomyId} or (taxonomy_type = 'mapping' and source_taxonomy_id = ${taxonomyId}))`),
  );
  const elementIds = ids(
    await tx.query(sql<Pick<TaxonomyElement, 'id'>>`select id from taxonomy_element
      where graph_id = ${graphId} and taxonomy_id = any(${taxonomyIds}::text[])`),
  );
  const structureIds = ids(
    await tx.query(sql<Pick<TaxonomyStructure, 'id'>>`select id from taxonomy_structure
      where graph_id = ${graphId} and taxonomy_id = any(${taxonomyIds}::text[])`),
  );
  const ruleIds = ids(
    await tx.query(sql<Pick<TaxonomyRule, 'id'>>`select r.id from taxonomy_rule r where r.graph_id = ${graphId}
      and (r.taxonomy_id = any(${taxonomyIds}::text[]) or r.target_id = any(${[...elementIds, ...structureIds]}::text[])
        or ${targetsArcsOf(tx, structureIds)})`),
  );
  return { taxonomyIds, elementIds, structureIds, ruleIds };
}

/** The checks run in the order of taxonomy T-37. */
async function refuseDelete(tx: Transaction, doomed: DoomedAtoms, cascade: boolean, parts: DeleteParts): Promise<void> {
  await lockHistory(tx, parts.guards);
  // Checked first, because the cascade does not delete facts of a live block.
  const [usedStructure] = await usedStructuresOf(tx, doomed.structureIds, parts.guards);
  if (usedStructure !== undefined) throw invalidInput(structureInUse(usedStructure));
  if (!cascade) {
    const counts = await Promise.all(parts.dependants.map((dependant) => dependant.countFacts(tx, doomed)));
    const facts = counts.reduce((sum, count) => sum + count, 0);
    if (facts > 0)
      throw invalidInput(`${facts} fact(s) depend on this taxonomy. Send cascade_facts true to delete them.`);
  }
  const used = await Promise.all(parts.guards.map((guard) => guard.used(tx, doomed.elementIds)));
  const withLines = new Set(used.flat()).size;
  if (withLines > 0) {
    throw invalidInput(`${withLines} element(s) have journal lines. Retire them with is_active false instead.`);
  }
  const outside = await outsideUses(tx, doomed.elementIds, doomed.structureIds);
  if (outside.length > 0) {
    throw invalidInput(`${outside.length} element(s) are used by arcs of other taxonomies. Remove those arcs first.`);
  }
  const sets = await protectedSetsOf(tx, doomed, parts.dependants);
  if (sets !== undefined) throw invalidInput(`protected_facts: ${protectedMessage(sets)}`);
}

async function deleteAtoms(tx: Transaction, doomed: DoomedAtoms): Promise<void> {
  const graphId = tx.graphId;
  const { taxonomyIds, structureIds, ruleIds } = doomed;
  await deleteRules(tx, ruleIds);
  await deleteStructures(tx, structureIds);
  await tx.query(sql`delete from taxonomy_element
    where graph_id = ${graphId} and taxonomy_id = any(${taxonomyIds}::text[])`);
  await tx.query(sql`delete from taxonomy_taxonomy where graph_id = ${graphId} and id = any(${taxonomyIds}::text[])`);
}
