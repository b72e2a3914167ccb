import { defineQuery, nullable } from '@pacioli/core';
import { structureList } from '../models/graphql-types.ts';
import { taxonomyReads } from '../tokens.ts';

export default defineQuery({
  name: 'mappings',
  summary: 'The mappings from accounts to reporting concepts, by name.',
  domain: 'ledger',
  returns: nullable(structureList),
  services: { taxonomyReads },
  async resolve({ ctx, use }) {
    return { structures: [...(await use.taxonomyReads.mappings(ctx.tx))] };
  },
});
