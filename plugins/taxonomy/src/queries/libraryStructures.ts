import { defineQuery, model, nullable } from '@pacioli/core';
import { Type } from 'typebox';
import { idType } from '../models/graphql-types.ts';
import { libraryStructure } from '../models/library-types.ts';
import { library, libraryReads } from '../tokens.ts';
import { libraryGraphId } from '../vocabulary/index.ts';

export default defineQuery({
  name: 'libraryStructures',
  summary: 'The networks that the graph sees, by name.',
  args: model('LibraryStructuresArgs', {
    taxonomy_id: Type.Optional(nullable(idType)),
    block_type: Type.Optional(nullable(Type.String())),
  }),
  returns: Type.Array(libraryStructure),
  services: { library, libraryReads },
  async resolve({ args, ctx, use }) {
    // A package hidden from tenants is listed when its id is requested (taxonomy LB-15).
    const isWide = ctx.graph.id === libraryGraphId || args.taxonomy_id != null;
    const hidden = use.library.rows.taxonomies.filter(({ isTenantVisible }) => !isWide && !isTenantVisible);
    const rows = await use.libraryReads.structures(ctx.tx, {
      hiddenTaxonomyIds: hidden.map(({ id }) => id),
      ...(args.taxonomy_id == null ? {} : { taxonomyId: args.taxonomy_id }),
      ...(args.block_type == null ? {} : { blockType: args.block_type }),
    });
    return [...rows];
  },
});
