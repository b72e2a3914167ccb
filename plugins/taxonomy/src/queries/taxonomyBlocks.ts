import { defineQuery, invalidInput, model, nullable, pageOf, type TypeOf } from '@pacioli/core';
import { Type } from 'typebox';
import { idType } from '../models/graphql-types.ts';
import { taxonomyBlock } from '../models/taxonomy-block-envelope.ts';
import { authoring } from '../providers.ts';
import { taxonomyTypeNames } from '../vocabulary/index.ts';

const defaultBlocksPerPage = 50;
const text = Type.Optional(nullable(Type.String()));

export default defineQuery({
  name: 'taxonomyBlocks',
  summary: 'The taxonomies that are blocks, the graph’s own first, one page at a time.',
  args: model('TaxonomyBlocksArgs', {
    taxonomy_type: text,
    parent_taxonomy_id: Type.Optional(nullable(idType)),
    category: text,
    limit: Type.Optional(nullable(Type.Integer())),
    offset: Type.Optional(nullable(Type.Integer())),
  }),
  returns: Type.Array(taxonomyBlock),
  services: { authoring },
  cost: { points: 50 },
  async resolve({ args, ctx, use }) {
    const type = args.taxonomy_type ?? undefined;
    if (type !== undefined && !taxonomyTypeNames.includes(type)) {
      throw invalidInput(`taxonomyType must be one of ${taxonomyTypeNames.join(', ')}, not "${type}".`);
    }
    const blocks: unknown = await use.authoring.blocks.list(ctx.tx, {
      ...pageOf(args, { defaultLimit: defaultBlocksPerPage }),
      ...(type === undefined ? {} : { taxonomyType: type }),
      ...(args.parent_taxonomy_id == null ? {} : { parentTaxonomyId: args.parent_taxonomy_id }),
      ...(args.category == null ? {} : { category: args.category }),
    });
    return blocks as TypeOf<typeof taxonomyBlock>[]; // Each promised field is awaited by its resolver.
  },
});
