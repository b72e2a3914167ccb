import { defineQuery, model, nullable, type TypeOf } from '@pacioli/core';
import { idType } from '../models/graphql-types.ts';
import { taxonomyBlock } from '../models/taxonomy-block-envelope.ts';
import { authoring } from '../providers.ts';

export default defineQuery({
  name: 'taxonomyBlock',
  summary: 'One taxonomy with all its parts; null when it is unknown or not a block.',
  args: model('TaxonomyBlockArgs', { id: idType }),
  returns: nullable(taxonomyBlock),
  services: { authoring },
  cost: { points: 15 },
  async resolve({ args, ctx, use }) {
    const block: unknown = (await use.authoring.blocks.find(ctx.tx, args.id)) ?? null;
    return block as TypeOf<typeof taxonomyBlock> | null; // Each promised field is awaited by its resolver.
  },
});
