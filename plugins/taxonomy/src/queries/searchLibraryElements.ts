import { defineQuery, model, nullable } from '@pacioli/core';
import { Type } from 'typebox';
import { libraryElement, libraryElementOf } from '../models/library-types.ts';
import { pageOf } from '../models/page.ts';
import { library } from '../tokens.ts';

const found_default = 50;
const found_max = 500;

export default defineQuery({
  name: 'searchLibraryElements',
  summary: 'Shipped elements whose name fits the words, best first.',
  args: model('SearchLibraryElementsArgs', {
    query: Type.String(),
    source: Type.Optional(nullable(Type.String())),
    limit: Type.Optional(nullable(Type.Integer())),
  }),
  returns: Type.Array(libraryElement),
  needs: { library },
  async resolve({ args, use }) {
    const { limit } = pageOf(args, found_default);
    const found = use.library.search(args.query, Math.min(limit, found_max), args.source ?? undefined);
    return found.map((row) => libraryElementOf(row, { labels: false }));
  },
});
