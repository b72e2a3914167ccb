import { defineQuery, nullable } from '@pacioli/core';
import { entityLinks } from '../block-tokens.ts';
import { gaapTaxonomyId } from '../library/index.ts';
import { taxonomy } from '../models/graphql-types.ts';
import { libraryTaxonomyOf } from '../models/library-types.ts';
import { library } from '../tokens.ts';

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
    // Taxonomy LB-17: the entity's primary link first. Every graph is pinned to the curated US GAAP (LB-9), which is
    // also what an extension or vocabulary that the entity is linked to stands on.
    const [row] = standards;
    if (row === undefined) return null;
    const { element_count, ...head } = libraryTaxonomyOf(row);
    return { ...head, source_taxonomy_id: row.sourceTaxonomyId, target_taxonomy_id: row.targetTaxonomyId };
  },
});
