import { defineQuery, nullable } from '@pacioli/core';
import { gaapTaxonomyId } from '../library/index.ts';
import { taxonomy } from '../models/graphql-types.ts';
import { libraryTaxonomyOf } from '../models/library-types.ts';
import { entityLinks, library } from '../tokens.ts';

export default defineQuery({
  name: 'reportingTaxonomy',
  summary: 'The reporting standard that the graph’s statements follow.',
  domain: 'ledger',
  returns: nullable(taxonomy),
  services: { library, entityLinks },
  async resolve({ ctx, use }) {
    const linked = await Promise.all(use.entityLinks.map((links) => links.reportingTaxonomyId(ctx.tx)));
    const standards = [...linked, gaapTaxonomyId].flatMap((id) => {
      const row = id === undefined ? undefined : use.library.taxonomyById(id);
      return row?.taxonomyType === 'reporting_standard' ? [row] : [];
    });
    // The entity's primary link takes precedence (taxonomy LB-17). Otherwise the curated US GAAP applies, to which
    // every graph is pinned (LB-9) and on which linked extensions and vocabularies are based.
    const [row] = standards;
    if (row === undefined) return null;
    const { element_count, ...head } = libraryTaxonomyOf(row);
    return { ...head, source_taxonomy_id: row.sourceTaxonomyId, target_taxonomy_id: row.targetTaxonomyId };
  },
});
