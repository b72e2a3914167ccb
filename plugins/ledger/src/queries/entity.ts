import { defineQuery, nullable } from '@pacioli/core';
import { LedgerEntity } from '../models/LedgerEntity.ts';
import { entities } from '../tokens.ts';

export default defineQuery({
  name: 'entity',
  summary: 'The company whose books the graph keeps.',
  returns: nullable(LedgerEntity),
  services: { entities },
  async resolve({ ctx, use }) {
    return (await use.entities.primary(ctx.tx)) ?? null;
  },
});
