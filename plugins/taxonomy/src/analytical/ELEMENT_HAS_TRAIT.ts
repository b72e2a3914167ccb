import { defineRelationship, sql } from '@pacioli/core';
import { elementTraits, rowsPerBatch } from '../projection/index.ts';
import type { TaxonomyElement } from '../rows.gen.ts';
import { Element } from './Element.ts';
import { Trait } from './Trait.ts';

/** At most one trait of each category (graphs 6.2). */
export const ELEMENT_HAS_TRAIT = defineRelationship('ELEMENT_HAS_TRAIT', Element, Trait, {
  rows: ({ tx }) =>
    tx.stream(
      sql<{ readonly from: TaxonomyElement['id']; readonly to: string }>`
        SELECT t.element_id AS "from", t.trait_id AS "to" FROM (${elementTraits(tx)}) AS t ORDER BY t.element_id, t.trait_id`,
      rowsPerBatch,
    ),
});
