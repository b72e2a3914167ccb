import { defineQuery, model, nullable } from '@pacioli/core';
import { Type } from 'typebox';
import { entityStore } from '../composition/internal-tokens.ts';
import { LedgerEntity } from '../models/LedgerEntity.ts';

export default defineQuery({
  name: 'entities',
  summary: 'All companies of the graph: the one whose books it keeps first, then by name.',
  args: model('EntitiesArgs', { source: Type.Optional(nullable(Type.String())) }),
  returns: Type.Array(LedgerEntity),
  services: { entityStore },
  async resolve({ args, ctx, use }) {
    return use.entityStore.list(ctx.tx, args.source ?? undefined);
  },
});
