import { defineNode, sql } from '@pacioli/core';
import { projectedArcs, rowsPerBatch } from '../projection/index.ts';
import type { TaxonomyAssociation } from '../rows.gen.ts';

/** The arcs of presentations, calculations and mappings, and the tree of the accounts (graphs SC-26). */
export const Association = defineNode('Association', {
  summary: 'An arc from an element to another one; `association_type` says which kind.',
  properties: {
    arcrole: 'STRING',
    order_value: 'DOUBLE',
    association_type: 'STRING',
    weight: 'DOUBLE',
    root: 'STRING',
    preferred_label: 'STRING',
  },
  rows: ({ tx }) =>
    tx.stream(
      sql<AssociationRow>`
        SELECT a.id AS identifier, a.arcrole, a.order_value, a.association_type, a.weight, NULL::text AS root,
          a.preferred_label
        FROM (${projectedArcs(tx)}) AS a ORDER BY a.id`,
      rowsPerBatch,
    ),
});

type AssociationRow = Pick<TaxonomyAssociation, 'arcrole' | 'order_value' | 'association_type' | 'weight'> & {
  readonly identifier: TaxonomyAssociation['id'];
  readonly root: string | null;
  readonly preferred_label: string | null;
};
