import { defineQuery, model, nullable, pageOf } from '@pacioli/core';
import { Type } from 'typebox';
import { createSearch } from '../library/index.ts';
import { libraryElement, shownElementOf } from '../models/library-types.ts';
import { library, libraryReads, libraryViews } from '../tokens.ts';
import { normalizedWords } from '../values/index.ts';
import { libraryGraphId } from '../vocabulary/index.ts';

const defaultFound = 50;
/** Larger limits are accepted, up to that of every list, but at most this many are returned (taxonomy LB-16). */
const maxFound = 500;

export default defineQuery({
  name: 'searchLibraryElements',
  summary: 'The elements that the graph sees whose name matches the words, best first.',
  args: model('SearchLibraryElementsArgs', {
    query: Type.String(),
    source: Type.Optional(nullable(Type.String())),
    limit: Type.Optional(nullable(Type.Integer())),
  }),
  returns: Type.Array(libraryElement),
  services: { library, libraryReads, libraryViews },
  cost: { points: 20, defaultRows: defaultFound, maxRows: maxFound },
  async resolve({ args, ctx, use }) {
    const { limit } = pageOf(args, { defaultLimit: defaultFound });
    const source = args.source ?? undefined;
    const isLibrary = ctx.graph.id === libraryGraphId;
    const excluded = new Set(isLibrary ? [] : (await use.libraryViews.view(ctx.tx)).excludedIds);
    const shipped = use.library
      .search(args.query, use.library.elements.length, source)
      .filter(({ taxonomyId }) => isLibrary || use.library.taxonomyById(taxonomyId)?.isTenantVisible === true)
      .filter(({ id }) => !excluded.has(id))
      .slice(0, Math.min(limit, maxFound));
    const words = [args.query.trim().toLowerCase(), ...normalizedWords(args.query)].filter((word) => word !== '');
    const own = isLibrary || words.length === 0 ? [] : await use.libraryReads.ownLike(ctx.tx, words, source);
    const found = createSearch([
      ...shipped.map(({ id, qname, name, isAbstract, source: from }) => ({
        id,
        qname,
        name,
        isAbstract,
        source: from,
      })),
      ...own.map(({ id, qname, name, is_abstract, source: from }) => ({
        id,
        qname,
        name,
        isAbstract: is_abstract,
        source: from,
      })),
    ])(args.query, Math.min(limit, maxFound));
    const rows = await use.libraryReads.elements(
      ctx.tx,
      found.map(({ id }) => id),
    );
    return found.flatMap(({ id }) => rows.get(id) ?? []).map((row) => shownElementOf(row, { labels: false }));
  },
});
