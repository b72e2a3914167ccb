import { defineQuery, model, nullable } from '@pacioli/core';
import { Type } from 'typebox';
import { taxonomy } from '../models/graphql-types.ts';
import { libraryTaxonomyOf } from '../models/library-types.ts';
import { library, taxonomyReads } from '../tokens.ts';

const taxonomyList = model('TaxonomyList', { taxonomies: Type.Array(taxonomy) });

export default defineQuery({
  name: 'taxonomies',
  summary: 'The taxonomies that the graph sees, its own and the library’s, by name.',
  domain: 'ledger',
  args: model('TaxonomiesArgs', { taxonomy_type: Type.Optional(nullable(Type.String())) }),
  returns: nullable(taxonomyList),
  services: { library, taxonomyReads },
  async resolve({ args, ctx, use }) {
    const shipped = use.library.rows.taxonomies
      .filter(({ isTenantVisible }) => isTenantVisible)
      .map((row) => {
        const { element_count, ...head } = libraryTaxonomyOf(row);
        return { ...head, source_taxonomy_id: row.sourceTaxonomyId, target_taxonomy_id: row.targetTaxonomyId };
      });
    const own = await use.taxonomyReads.taxonomies(ctx.tx);
    const taxonomies = [...own, ...shipped]
      .filter(({ taxonomy_type }) => (args.taxonomy_type ?? taxonomy_type) === taxonomy_type)
      .sort((a, b) => (a.name < b.name ? -1 : 1));
    return { taxonomies };
  },
});
