import { defineOperation, notFound } from '@pacioli/core';
import { libraryReads } from '@pacioli/taxonomy';
import { entityStore } from '../internal-tokens.ts';
import { EntityTaxonomyResponse, LinkEntityTaxonomyRequest } from '../models/entity-changes.ts';

export default defineOperation({
  name: 'link-entity-taxonomy',
  summary: 'Says which taxonomy the company uses for its accounts, its reports, its mapping or its schedules.',
  need: 'member',
  openapi: { id: 'link_entity_taxonomy', tag: 'extensions_robo_ledger' },
  input: LinkEntityTaxonomyRequest,
  output: EntityTaxonomyResponse,
  needs: { entityStore, libraryReads },
  stale: 'entity_updated',
  errors: { NOT_FOUND: 'The taxonomy is neither of this graph nor of the library, or the graph has no company.' },

  async handle({ input, ctx, use }) {
    const taxonomy = await use.libraryReads.taxonomy(ctx.tx, { id: input.taxonomy_id });
    if (taxonomy === undefined) throw notFound(`Taxonomy not found: ${input.taxonomy_id}`);
    const link = await use.entityStore.link(
      ctx.tx,
      {
        taxonomy_id: input.taxonomy_id,
        basis: input.basis ?? 'chart_of_accounts',
        is_primary: input.is_primary ?? true,
        adoption_context: input.adoption_context === undefined ? 'voluntary' : input.adoption_context,
      },
      ctx.now(),
    );
    if (link === undefined) throw notFound('This graph has no entity.');
    return link;
  },
});
