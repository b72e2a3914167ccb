import { defineQuery, model, nullable } from '@pacioli/core';
import { Type } from 'typebox';
import { libraryGraphId } from '../domain/vocabulary.ts';
import { idType } from '../models/graphql-types.ts';
import { libraryElement, libraryElementOf } from '../models/library-types.ts';
import { pageOf } from '../models/page.ts';
import { library } from '../tokens.ts';

const elements_per_page_default = 50;
const elements_per_page_max = 500;
const text = Type.Optional(nullable(Type.String()));
const flag = Type.Optional(nullable(Type.Boolean()));

export default defineQuery({
  name: 'libraryElements',
  summary: 'Shipped elements by qname, one page at a time.',
  args: model('LibraryElementsArgs', {
    taxonomy_id: Type.Optional(nullable(idType)),
    source: text,
    classification: text,
    activity_type: text,
    element_type: text,
    is_abstract: flag,
    limit: Type.Optional(nullable(Type.Integer())),
    offset: Type.Optional(nullable(Type.Integer())),
    include_labels: flag,
    include_references: flag,
  }),
  returns: Type.Array(libraryElement),
  needs: { library },
  async resolve({ args, ctx, use }) {
    const { limit, offset } = pageOf(args, elements_per_page_default);
    const isWide = ctx.graph.id === libraryGraphId || args.taxonomy_id != null;
    return use.library.elements
      .filter(
        (row) =>
          // Taxonomy LB-15: a package that tenants do not see is listed when it is asked for by its id.
          (isWide || use.library.taxonomyById(row.taxonomyId)?.isTenantVisible === true) &&
          (args.taxonomy_id ?? row.taxonomyId) === row.taxonomyId &&
          (args.source ?? row.source) === row.source &&
          (args.classification ?? row.trait) === row.trait &&
          (args.activity_type ?? row.activityType) === row.activityType &&
          (args.element_type ?? row.elementType) === row.elementType &&
          (args.is_abstract ?? row.isAbstract) === row.isAbstract,
      )
      .slice(offset, offset + Math.min(limit, elements_per_page_max))
      .map((row) => libraryElementOf(row, { labels: args.include_labels === true }));
  },
});
