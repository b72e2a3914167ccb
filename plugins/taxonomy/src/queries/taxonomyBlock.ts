import { defineQuery, model, nullable, type TypeOf } from '@pacioli/core';
import { taxonomyBlocks } from '../block-tokens.ts';
import { idType } from '../models/graphql-types.ts';
import { taxonomyBlock } from '../models/taxonomy-block-envelope.ts';

export default defineQuery({
  name: 'taxonomyBlock',
  summary: 'One taxonomy with everything in it; null when it is unknown or no block.',
  args: model('TaxonomyBlockArgs', { id: idType }),
  returns: nullable(taxonomyBlock),
  services: { taxonomyBlocks },
  cost: { points: 15 },
  async resolve({ args, ctx, use }) {
    const block: unknown = (await use.taxonomyBlocks.find(ctx.tx, args.id)) ?? null;
    return block as TypeOf<typeof taxonomyBlock> | null; // Promised fields are awaited by the field that reads them.
  },
});
