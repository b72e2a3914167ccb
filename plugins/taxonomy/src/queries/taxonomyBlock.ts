import { defineQuery, model, nullable, type TypeOf } from '@pacioli/core';
import { taxonomyBlocks } from '../block-tokens.ts';
import { idType } from '../models/graphql-types.ts';
import { taxonomyBlock } from '../models/taxonomy-block-envelope.ts';

export default defineQuery({
  name: 'taxonomyBlock',
  summary: 'One taxonomy with all its parts; null when it is unknown or not a block.',
  args: model('TaxonomyBlockArgs', { id: idType }),
  returns: nullable(taxonomyBlock),
  services: { taxonomyBlocks },
  cost: { points: 15 },
  async resolve({ args, ctx, use }) {
    const block: unknown = (await use.taxonomyBlocks.find(ctx.tx, args.id)) ?? null;
    return block as TypeOf<typeof taxonomyBlock> | null; // Each promised field is awaited by its resolver.
  },
});
