import { defineRelationship, sql } from '@pacioli/core';
import { projectedTaxonomyIds, Taxonomy } from '@pacioli/taxonomy';
import type { LedgerEntityTaxonomy } from '../rows.gen.ts';
import { rowsPerBatch } from '../values/index.ts';
import { Entity } from './Entity.ts';

/** The taxonomies that a company uses for its accounts, reports, mappings and schedules (graphs 6.2). */
export const ENTITY_HAS_TAXONOMY = defineRelationship('ENTITY_HAS_TAXONOMY', Entity, Taxonomy, {
  properties: {
    is_primary: 'BOOLEAN',
    basis: 'STRING',
    effective_from: 'STRING',
    effective_to: 'STRING',
    adoption_context: 'STRING',
  },
  rows: ({ tx }) =>
    tx.stream(
      sql<LinkRow>`
        SELECT entity_id AS "from", taxonomy_id AS "to", is_primary, basis, NULL::text AS effective_from,
          NULL::text AS effective_to, adoption_context
        FROM ledger_entity_taxonomy WHERE taxonomy_id IN (${projectedTaxonomyIds(tx)})
        ORDER BY entity_id, taxonomy_id, basis`,
      rowsPerBatch,
    ),
});

type LinkRow = Pick<LedgerEntityTaxonomy, 'is_primary' | 'basis' | 'adoption_context'> & {
  readonly from: LedgerEntityTaxonomy['entity_id'];
  readonly to: LedgerEntityTaxonomy['taxonomy_id'];
  readonly effective_from: string | null;
  readonly effective_to: string | null;
};
