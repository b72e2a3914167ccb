import { defineQuery, invalidInput, model, nullable } from '@pacioli/core';
import { Type } from 'typebox';
import { elementTree, maxTreeNodes } from '../blocks/index.ts';
import { idType } from '../models/graphql-types.ts';
import { libraryElement, shownElementOf } from '../models/library-types.ts';
import { libraryReads } from '../tokens.ts';

const libraryElementTreeNode = model('LibraryElementTreeNode', {
  element: libraryElement,
  children: Type.Unsafe<unknown>({ graphql: { type: '[LibraryElementTreeNode!]' } }),
});

const defaultLevels = 5;

const maxLevels = 10;

export default defineQuery({
  name: 'libraryElementTree',
  summary:
    'An element with the elements presented below it, in one network or in all of them; null when it is unknown.',
  args: model('LibraryElementTreeArgs', {
    id: idType,
    max_depth: Type.Optional(nullable(Type.Integer())),
    structure_id: Type.Optional(nullable(idType)),
  }),
  returns: nullable(libraryElementTreeNode),
  services: { libraryReads },
  cost: { points: 20 },
  async resolve({ args, ctx, use }) {
    const levels = args.max_depth ?? defaultLevels;
    if (levels < 1 || levels > maxLevels) throw invalidInput(`maxDepth must be between 1 and ${maxLevels}`);
    const found = await elementTree(args.id, levels, {
      arcsBelow: (ids) => use.libraryReads.treeArcs(ctx.tx, ids, args.structure_id ?? undefined),
      elements: (ids) => use.libraryReads.elements(ctx.tx, ids),
      show: (row) => shownElementOf(row, { labels: false }),
    });
    if (found === 'too large') {
      throw invalidInput(
        `The tree has more than ${maxTreeNodes} nodes. Name a structure or request fewer levels with maxDepth.`,
      );
    }
    return found ?? null;
  },
});
