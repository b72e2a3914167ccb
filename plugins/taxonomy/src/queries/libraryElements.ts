import { defineQuery, model, nullable, pageOf } from '@pacioli/core';
import { Type } from 'typebox';
import { idType } from '../models/graphql-types.ts';
import { libraryElement, shownElementOf } from '../models/library-types.ts';
import { library, libraryReads, libraryViews } from '../tokens.ts';
import { libraryGraphId } from '../vocabulary/index.ts';

const defaultElementsPerPage = 50;
const maxElementsPerPage = 500;
const text = Type.Optional(nullable(Type.String()));
const flag = Type.Optional(nullable(Type.Boolean()));

export default defineQuery({
  name: 'libraryElements',
  summary: 'The elements that the graph sees, its own and the library’s, by qname, one page at a time.',
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
  services: { library, libraryReads, libraryViews },
  cost: { points: 10, maxRows: maxElementsPerPage },
  async resolve({ args, ctx, use }) {
    const { limit, offset } = pageOf(args, { defaultLimit: defaultElementsPerPage });
    // A package hidden from tenants is listed when its id is requested (taxonomy LB-15).
    const isWide = ctx.graph.id === libraryGraphId || args.taxonomy_id != null;
    const hidden = use.library.rows.taxonomies.filter(({ isTenantVisible }) => !isWide && !isTenantVisible);
    const filter = {
      excludedIds: isWide ? [] : (await use.libraryViews.view(ctx.tx)).excludedIds,
      hiddenTaxonomyIds: hidden.map(({ id }) => id),
      ...(args.taxonomy_id == null ? {} : { taxonomyId: args.taxonomy_id }),
      ...(args.source == null ? {} : { source: args.source }),
      ...(args.classification == null ? {} : { trait: args.classification }),
      ...(args.activity_type == null ? {} : { activityType: args.activity_type }),
      ...(args.element_type == null ? {} : { elementType: args.element_type }),
      ...(args.is_abstract == null ? {} : { isAbstract: args.is_abstract }),
    };
    const page = { limit: Math.min(limit, maxElementsPerPage), offset };
    const rows = await use.libraryReads.list(ctx.tx, filter, page);
    return rows.map((row) => shownElementOf(row, { labels: args.include_labels === true }));
  },
});
