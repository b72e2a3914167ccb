import { defineQuery, model, nullable } from '@pacioli/core';
import { Type } from 'typebox';
import { structureList } from '../models/graphql-types.ts';
import { library, taxonomyReads } from '../tokens.ts';

const optionalText = Type.Optional(nullable(Type.String()));

export default defineQuery({
  name: 'structures',
  summary: 'The graph’s own structures and those of the library that every graph can see, sorted by name.',
  domain: 'ledger',
  args: model('StructuresArgs', { taxonomy_id: optionalText, block_type: optionalText }),
  returns: nullable(structureList),
  services: { library, taxonomyReads },
  async resolve({ args, ctx, use }) {
    const libraryStructures = use.library.rows.structures
      .filter((row) => use.library.taxonomyById(row.taxonomyId)?.isTenantVisible === true)
      .filter((row) => (args.taxonomy_id ?? row.taxonomyId) === row.taxonomyId)
      .filter((row) => (args.block_type ?? row.blockType) === row.blockType)
      .map(({ id, name, blockType, taxonomyId }) => ({
        id,
        name,
        description: null,
        block_type: blockType,
        taxonomy_id: taxonomyId,
        is_active: true,
      }));
    const own = await use.taxonomyReads.structures(ctx.tx, {
      ...(args.taxonomy_id == null ? {} : { taxonomyId: args.taxonomy_id }),
      ...(args.block_type == null ? {} : { blockType: args.block_type }),
    });
    return { structures: [...own, ...libraryStructures].sort((a, b) => (a.name < b.name ? -1 : 1)) };
  },
});
