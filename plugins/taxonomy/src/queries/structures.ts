import { defineQuery, model, nullable } from '@pacioli/core';
import { Type } from 'typebox';
import { structureList } from '../models/graphql-types.ts';
import { taxonomyReads } from '../read-tokens.ts';
import { library } from '../tokens.ts';

const text = Type.Optional(nullable(Type.String()));

export default defineQuery({
  name: 'structures',
  summary: 'The structures that the graph sees, its own and the library’s, by name.',
  domain: 'ledger',
  args: model('StructuresArgs', { taxonomy_id: text, block_type: text }),
  returns: nullable(structureList),
  services: { library, taxonomyReads },
  async resolve({ args, ctx, use }) {
    const shipped = use.library.rows.structures
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
    return { structures: [...own, ...shipped].sort((a, b) => (a.name < b.name ? -1 : 1)) };
  },
});
