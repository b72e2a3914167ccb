import { defineQuery, model, nullable } from '@pacioli/core';
import { Type } from 'typebox';
import { idType } from '../models/graphql-types.ts';
import { libraryReads } from '../tokens.ts';

const text = nullable(Type.String());

const libraryElementClassification = model('LibraryElementClassification', {
  category: Type.String(),
  identifier: Type.String(),
  name: text,
  is_primary: Type.Boolean(),
});

export default defineQuery({
  name: 'libraryElementClassifications',
  summary: 'The traits of an element by category; empty when the element is unknown.',
  args: model('LibraryElementClassificationsArgs', { id: idType }),
  returns: Type.Array(libraryElementClassification),
  services: { libraryReads },
  async resolve({ args, ctx, use }) {
    const element = await use.libraryReads.element(ctx.tx, { id: args.id });
    if (element === undefined) return [];
    // Each category has at most one trait, so the order of the categories is the whole order. Only the element of
    // financial statements is a primary trait (taxonomy T-9).
    const traits = [
      { category: 'activityType', identifier: element.activity_type, is_primary: false },
      { category: 'elementsOfFinancialStatements', identifier: element.trait, is_primary: true },
      { category: 'liquidity', identifier: element.liquidity, is_primary: false },
    ];
    return traits.flatMap(({ identifier, ...trait }) =>
      identifier === null ? [] : [{ ...trait, identifier, name: null }],
    );
  },
});
