import { defineQuery, model, nullable } from '@pacioli/core';
import { Type } from 'typebox';
import { idType } from '../models/graphql-types.ts';
import { libraryElement, shownElementOf } from '../models/library-types.ts';
import { libraryReads } from '../tokens.ts';

const libraryEquivalence = model('LibraryEquivalence', {
  element: libraryElement,
  equivalents: Type.Array(libraryElement),
});

export default defineQuery({
  name: 'libraryElementEquivalents',
  summary: 'The elements that mean the same in another framework, by qname; null when the element is unknown.',
  args: model('LibraryElementEquivalentsArgs', { id: idType }),
  returns: nullable(libraryEquivalence),
  services: { libraryReads },
  async resolve({ args, ctx, use }) {
    const element = await use.libraryReads.element(ctx.tx, { id: args.id });
    if (element === undefined) return null;
    const ids = await use.libraryReads.equivalentIds(ctx.tx, args.id);
    const peers = await use.libraryReads.elements(ctx.tx, ids);
    return {
      element: shownElementOf(element, { labels: false }),
      equivalents: [...peers.values()]
        .sort((a, b) => (a.qname < b.qname ? -1 : 1))
        .map((row) => shownElementOf(row, { labels: false })),
    };
  },
});
