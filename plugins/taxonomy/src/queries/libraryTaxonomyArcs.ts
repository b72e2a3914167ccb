import { defineQuery, model, nullable, pageOf } from '@pacioli/core';
import { Type } from 'typebox';
import { idType } from '../models/graphql-types.ts';
import { libraryReads } from '../tokens.ts';

const flag = nullable(Type.Boolean());

const number = nullable(Type.Number());

const text = nullable(Type.String());

const libraryAssociation = model('LibraryAssociation', {
  id: Type.String(),
  structure_id: Type.String(),
  structure_name: text,
  from_element_id: Type.String(),
  from_element_qname: text,
  from_element_name: text,
  from_element_trait: text,
  from_element_is_abstract: flag,
  to_element_id: Type.String(),
  to_element_qname: text,
  to_element_name: text,
  to_element_trait: text,
  to_element_is_abstract: flag,
  association_type: Type.String(),
  arcrole: text,
  order_value: number,
  weight: number,
});

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
