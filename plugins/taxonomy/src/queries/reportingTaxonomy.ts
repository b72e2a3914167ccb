import { defineQuery, nullable } from '@pacioli/core';
import { gaapTaxonomyId } from '../domain/library.ts';
import { taxonomy } from '../models/graphql-types.ts';
import { libraryTaxonomyOf } from '../models/library-types.ts';
import { library } from '../tokens.ts';

export default defineQuery({
  name: 'reportingTaxonomy',
  summary: 'The reporting standard that the graph’s statements follow.',
  domain: 'ledger',
  returns: nullable(taxonomy),
  needs: { library },
  async resolve({ use }) {
    // Taxonomy LB-9 and LB-17: every graph is pinned to the curated US GAAP, the only framework with statements.
    const row = use.library.taxonomyById(gaapTaxonomyId);
    if (row === undefined) return null;
    const { element_count, ...head } = libraryTaxonomyOf(row);
    return { ...head, source_taxonomy_id: row.sourceTaxonomyId, target_taxonomy_id: row.targetTaxonomyId };
  },
});
