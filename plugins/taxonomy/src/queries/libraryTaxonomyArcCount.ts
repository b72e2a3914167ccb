import { defineQuery, model, nullable } from '@pacioli/core';
import { Type } from 'typebox';
import { idType } from '../models/graphql-types.ts';
import { libraryReads } from '../tokens.ts';

export default defineQuery({
  name: 'libraryTaxonomyArcCount',
  summary: 'The number of arcs in the structures of a taxonomy.',
  args: model('LibraryTaxonomyArcCountArgs', {
    taxonomy_id: idType,
    association_type: Type.Optional(nullable(Type.String())),
    structure_id: Type.Optional(nullable(idType)),
  }),
  returns: Type.Integer(),
  services: { libraryReads },
  async resolve({ args, ctx, use }) {
    return use.libraryReads.taxonomyArcCount(ctx.tx, {
      taxonomyId: args.taxonomy_id,
      ...(args.association_type == null ? {} : { associationType: args.association_type }),
      ...(args.structure_id == null ? {} : { structureId: args.structure_id }),
    });
  },
});
