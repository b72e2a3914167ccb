import { defineQuery, model, nullable } from '@pacioli/core';
import { Type } from 'typebox';
import { mappingDetail } from '../models/graphql-types.ts';
import { taxonomyReads } from '../read-tokens.ts';

export default defineQuery({
  name: 'mapping',
  summary: 'One mapping with its arcs; null when the id is unknown.',
  domain: 'ledger',
  args: model('MappingArgs', { mapping_id: Type.String() }),
  returns: nullable(mappingDetail),
  services: { taxonomyReads },
  async resolve({ args, ctx, use }) {
    const mapping = await use.taxonomyReads.mapping(ctx.tx, args.mapping_id);
    if (mapping === undefined) return null;
    const associations = await use.taxonomyReads.associations(ctx.tx, mapping.id);
    return {
      id: mapping.id,
      name: mapping.name,
      block_type: mapping.block_type,
      taxonomy_id: mapping.taxonomy_id,
      associations: [...associations],
      total_associations: associations.length,
    };
  },
});
