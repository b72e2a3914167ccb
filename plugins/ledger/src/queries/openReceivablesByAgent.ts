import { defineQuery } from '@pacioli/core';
import { Type } from 'typebox';
import { books } from '../books.ts';
import { OpenBalanceByAgent } from '../models/agents.ts';

export default defineQuery({
  name: 'openReceivablesByAgent',
  summary: 'Open receivables by customer and currency, largest first, in minor units.',
  returns: Type.Array(OpenBalanceByAgent),
  services: { books },
  cost: { points: 100 },
  async resolve({ ctx, use }) {
    return [...(await use.books.openBalances.byAgent(ctx.tx, 'receivable'))];
  },
});
