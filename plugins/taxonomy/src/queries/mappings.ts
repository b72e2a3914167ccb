import { defineQuery, nullable } from '@pacioli/core';
import { structureList } from '../models/graphql-types.ts';
import { taxonomyReads } from '../tokens.ts';

export default defineQuery({
  name: 'mappings',
  summary: 'The mappings from accounts to reporting concepts, by name.',
  mcp: { tool: 'list-mapping-structures', hint: 'Look here for the id of a mapping.' },
  domain: 'ledger',
  returns: nullable(structureList),
  services: { taxonomyReads },
  async resolve({ ctx, use }) {
    return { structures: [...(await use.taxonomyReads.mappings(ctx.tx))] };
  },
});
