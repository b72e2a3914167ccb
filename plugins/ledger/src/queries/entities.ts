import { defineQuery, model, nullable } from '@pacioli/core';
import { Type } from 'typebox';
import { books } from '../books.ts';
import { LedgerEntity } from '../models/LedgerEntity.ts';

export default defineQuery({
  name: 'entities',
  summary: 'All companies of the graph: the one whose books it keeps first, then by name.',
  args: model('EntitiesArgs', { source: Type.Optional(nullable(Type.String())) }),
  returns: Type.Array(LedgerEntity),
  // Graphs that only hold securities list the issuers of the reports that they received (investor 7.9).
  alternativeDomains: ['investor'],
  services: { books },
  async resolve({ args, ctx, use }) {
    return use.books.entities.list(ctx.tx, args.source ?? undefined);
  },
});
