import { defineQuery, model, nullable } from '@pacioli/core';
import { Type } from 'typebox';
import { libraryTaxonomy, libraryTaxonomyOf } from '../models/library-types.ts';
import { library, taxonomyReads } from '../tokens.ts';
import { libraryGraphId } from '../vocabulary/index.ts';

export default defineQuery({
  name: 'libraryTaxonomies',
  summary: 'The shipped taxonomies, and on a tenant graph its own charts and mappings as well.',
  args: model('LibraryTaxonomiesArgs', {
    standard: Type.Optional(nullable(Type.String())),
    include_element_count: Type.Optional(nullable(Type.Boolean())),
  }),
  returns: Type.Array(libraryTaxonomy),
  services: { library, taxonomyReads },
  async resolve({ args, ctx, use }) {
    const isLibrary = ctx.graph.id === libraryGraphId;
    const shipped = use.library.rows.taxonomies
      .filter(({ isTenantVisible }) => isLibrary || isTenantVisible)
      .map((row) => ({
        ...libraryTaxonomyOf(row),
        element_count: args.include_element_count === true ? countIn(use.library.elements, row.id) : null,
      }));
    const own = isLibrary ? [] : await use.taxonomyReads.taxonomies(ctx.tx);
    const counts =
      args.include_element_count === true && own.length > 0 ? await use.taxonomyReads.elementCounts(ctx.tx) : undefined;
    const tenant = own.map(({ source_taxonomy_id, target_taxonomy_id, ...row }) => ({
      ...row,
      element_count: counts === undefined ? null : (counts.get(row.id) ?? 0),
    }));
    const sortKey = (row: { standard: string | null; version: string | null; name: string }) =>
      `${row.standard ?? ''}\n${row.version ?? ''}\n${row.name}`;
    return [...tenant, ...shipped]
      .filter(({ standard }) => (args.standard ?? standard) === standard)
      .sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
  },
});

function countIn(elements: readonly { readonly taxonomyId: string }[], taxonomyId: string): number {
  return elements.filter((element) => element.taxonomyId === taxonomyId).length;
}
