import { defineQuery, model, nullable, pageOf } from '@pacioli/core';
import { Type } from 'typebox';
import { idType } from '../models/graphql-types.ts';
import { libraryAssociation } from '../models/library-types.ts';
import { libraryReads } from '../read-tokens.ts';

const defaultArcsPerPage = 200;

export default defineQuery({
  name: 'libraryTaxonomyArcs',
  summary: 'The arcs of all structures of a taxonomy, one page at a time.',
  args: model('LibraryTaxonomyArcsArgs', {
    taxonomy_id: idType,
    association_type: Type.Optional(nullable(Type.String())),
    structure_id: Type.Optional(nullable(idType)),
    limit: Type.Optional(nullable(Type.Integer())),
    offset: Type.Optional(nullable(Type.Integer())),
  }),
  returns: Type.Array(libraryAssociation),
  services: { libraryReads },
  cost: { points: 10, defaultRows: defaultArcsPerPage },
  async resolve({ args, ctx, use }) {
    const filter = {
      taxonomyId: args.taxonomy_id,
      ...(args.association_type == null ? {} : { associationType: args.association_type }),
      ...(args.structure_id == null ? {} : { structureId: args.structure_id }),
    };
    return [
      ...(await use.libraryReads.taxonomyArcs(ctx.tx, filter, pageOf(args, { defaultLimit: defaultArcsPerPage }))),
    ];
  },
});
