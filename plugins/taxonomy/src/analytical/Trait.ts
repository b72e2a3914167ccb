import { defineNode, sql } from '@pacioli/core';
import { elementTraits, rowsPerBatch } from '../projection/index.ts';
import type { TaxonomyElement } from '../rows.gen.ts';

/** The traits that elements have, each once (graphs 6.1, taxonomy T-9). */
export const Trait = defineNode('Trait', {
  summary: 'A classification of elements: a category, such as liquidity, and in `type` the value in it.',
  properties: { category: 'STRING', type: 'STRING', source: 'STRING', confidence: 'DOUBLE' },
  rows: ({ tx }) =>
    tx.stream(
      sql<TraitRow>`
        SELECT DISTINCT t.trait_id AS identifier, t.category, t.type, NULL::text AS source, NULL::float8 AS confidence
        FROM (${elementTraits(tx)}) AS t ORDER BY t.trait_id`,
      rowsPerBatch,
    ),
});

interface TraitRow {
  readonly identifier: string;
  readonly category: string;
  readonly type: NonNullable<TaxonomyElement['trait']>;
  readonly source: string | null;
  readonly confidence: number | null;
}
