import { defineRelationship, sql } from '@pacioli/core';
import { projectedArcs, rowsPerBatch } from '../projection/index.ts';
import type { TaxonomyAssociation } from '../rows.gen.ts';
import { Association } from './Association.ts';
import { Element } from './Element.ts';

/** The child, the summand, or the concept that an account is mapped to (graphs 6.2). */
export const ASSOCIATION_HAS_TO_ELEMENT = defineRelationship('ASSOCIATION_HAS_TO_ELEMENT', Association, Element, {
  rows: ({ tx }) =>
    tx.stream(
      sql<{ readonly from: TaxonomyAssociation['id']; readonly to: TaxonomyAssociation['to_element_id'] }>`
        SELECT a.id AS "from", a.to_element_id AS "to" FROM (${projectedArcs(tx)}) AS a ORDER BY a.id`,
      rowsPerBatch,
    ),
});
