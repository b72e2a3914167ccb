import { defineQuery, model, nullable, pageOf } from '@pacioli/core';
import { Type } from 'typebox';
import { element, paginationInfo } from '../models/graphql-types.ts';
import { library, taxonomyReads } from '../tokens.ts';

const elementList = model('ElementList', { elements: Type.Array(element), pagination: paginationInfo });

const defaultElementsPerPage = 100;

const text = Type.Optional(nullable(Type.String()));

export default defineQuery({
  name: 'elements',
  summary: 'Active elements of the graph and of the library taxonomies that it sees, one page at a time.',
  domain: 'ledger',
  args: model('ElementsArgs', {
    taxonomy_id: text,
    source: text,
    classification: text,
    is_abstract: Type.Optional(nullable(Type.Boolean())),
    limit: Type.Optional(nullable(Type.Integer())),
    offset: Type.Optional(nullable(Type.Integer())),
  }),
  returns: nullable(elementList),
  services: { library, taxonomyReads },
  cost: { points: 10, defaultRows: defaultElementsPerPage },
  async resolve({ args, ctx, use }) {
    const page = pageOf(args, { defaultLimit: defaultElementsPerPage });
    const { elements, total } = await use.taxonomyReads.elements(ctx.tx, {
      ...page,
      ...(args.taxonomy_id == null ? {} : { taxonomyId: args.taxonomy_id }),
      ...(args.source == null ? {} : { source: args.source }),
      ...(args.classification == null ? {} : { trait: args.classification }),
      ...(args.is_abstract == null ? {} : { isAbstract: args.is_abstract }),
      libraryTaxonomyIds: use.library.rows.taxonomies.filter((row) => row.isTenantVisible).map(({ id }) => id),
    });
    const hasMore = page.offset + elements.length < total;
    return { elements: [...elements], pagination: { total, ...page, has_more: hasMore } };
  },
});
