import { defineQuery, model, nullable } from '@pacioli/core';
import { Type } from 'typebox';
import { idType } from '../models/graphql-types.ts';
import { libraryTaxonomy } from '../models/library-types.ts';
import { libraryReads } from '../tokens.ts';

const text = Type.Optional(nullable(Type.String()));

export default defineQuery({
  name: 'libraryTaxonomy',
  summary: 'One taxonomy by id, or the newest version of a standard; null when there is none.',
  args: model('LibraryTaxonomyArgs', {
    id: Type.Optional(nullable(idType)),
    standard: text,
    version: text,
    include_element_count: Type.Optional(nullable(Type.Boolean())),
  }),
  returns: nullable(libraryTaxonomy),
  services: { libraryReads },
  async resolve({ args, ctx, use }) {
    if (args.id == null && args.standard == null) return null;
    const by = args.id != null ? { id: args.id } : { standard: args.standard ?? '', version: args.version ?? null };
    const row = await use.libraryReads.taxonomy(ctx.tx, by);
    if (row === undefined) return null;
    const elementCount =
      args.include_element_count === true ? await use.libraryReads.elementCount(ctx.tx, row.id) : null;
    return { ...row, element_count: elementCount };
  },
});
